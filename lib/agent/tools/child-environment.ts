/**
 * The environment of a child: a short list of harmless variables of ours, those that the profile
 * gives it, and its mark. Nothing else of the owner's environment is passed on, so no key of any
 * provider and no secret of ours can be.
 */
import { type ChildMark, markVariables } from "./child-mark";

const PASSED_ON = ["PATH", "HOME", "LANG", "TERM", "USER", "SHELL", "TMPDIR"] as const;
const DEFAULTS = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", TERM: "xterm-256color" } as const;

/** `ambient`: the owner's environment; `extra`: what the profile adds. `HERMES_*` of both is left out. */
export function childEnvironment(
  ambient: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>>,
  mark: ChildMark,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = { ...DEFAULTS };
  for (const name of PASSED_ON) {
    const value = ambient[name];
    if (value !== undefined && value !== "") environment[name] = value;
  }
  for (const [name, value] of Object.entries(extra)) {
    if (!name.startsWith("HERMES_") && !name.includes("=") && !value.includes("\0")) environment[name] = value;
  }
  return { ...environment, ...markVariables(mark) };
}
