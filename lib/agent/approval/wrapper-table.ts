/** Programs that run the words after their own, and how their own options are read. */
import type { OptionSyntax } from "./read-options";

export interface Wrapper extends OptionSyntax {
  /** Words between the options and the wrapped command. */
  readonly operands?: number;
  readonly assignments?: boolean;
  readonly detached?: boolean;
  /** With one of these letters it only tells about the command. */
  readonly asksOnly?: string;
  /** The first operand must be one of these for the rest to be a command. */
  readonly verbs?: readonly string[];
}

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: "CDghpRrTtUu", longValued: ["user", "group", "host", "prompt", "chroot", "chdir", "role", "type", "close-from", "other-user", "command-timeout"], assignments: true },
  doas: { valued: "uC" },
  pkexec: { longValued: ["user"] },
  env: { valued: "uC", longValued: ["unset", "chdir"], assignments: true },
  nohup: { detached: true },
  setsid: { detached: true },
  gtime: { valued: "fo" },
  command: { asksOnly: "vV" },
  builtin: {},
  exec: { valued: "a" },
  nice: { valued: "n", longValued: ["adjustment"] },
  ionice: { valued: "cnpPu", longValued: ["class", "classdata"] },
  chrt: { valued: "pTPD", operands: 1 },
  taskset: { operands: 1 },
  timeout: { valued: "ks", longValued: ["kill-after", "signal"], operands: 1 },
  gtimeout: { valued: "ks", operands: 1 },
  stdbuf: { valued: "ioe", longValued: ["input", "output", "error"] },
  unbuffer: {},
  caffeinate: { valued: "tw" },
  strace: { valued: "abeEIoOpPsSuX" },
  ltrace: { valued: "aAeFlnopsuwx" },
  busybox: {},
  toybox: {},
  chroot: { longValued: ["userspec", "groups"], operands: 1 },
  unshare: { valued: "RwSG" },
  nsenter: { valued: "tSGW" },
  fakeroot: { valued: "lfsib" },
  "systemd-run": { valued: "puEHMt", longValued: ["unit", "property", "uid", "gid", "description", "slice", "setenv", "working-directory"], detached: true },
  firejail: {},
  proxychains: { valued: "f" },
  proxychains4: { valued: "f" },
  torsocks: {},
  "xvfb-run": { valued: "enpsf" },
  "dbus-run-session": {},
  npx: { valued: "pw", longValued: ["package", "workspace"] },
  bunx: { longValued: ["package"] },
  pnpx: {},
  uvx: { longValued: ["from", "with", "python"] },
  npm: { verbs: ["exec", "x"], valued: "w", longValued: ["package", "workspace"] },
  pnpm: { verbs: ["exec", "dlx"], valued: "C", longValued: ["filter", "dir"] },
  yarn: { verbs: ["exec", "dlx"] },
  uv: { verbs: ["run"], longValued: ["with", "python", "project", "directory"] },
  poetry: { verbs: ["run"], valued: "C" },
  pipenv: { verbs: ["run"] },
  rye: { verbs: ["run"] },
  bundle: { verbs: ["exec"] },
  mise: { verbs: ["exec", "x"] },
  direnv: { verbs: ["exec"], operands: 1 },
  op: { verbs: ["run"] },
  doppler: { verbs: ["run"] },
};
