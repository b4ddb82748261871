/**
 * Which files ask before they are written, whoever writes them: a redirect, `cp`, or a file tool.
 * Told by the path's text, without regard to case, since some disks do not regard it either.
 */
import { posix } from "node:path";
import type { PatternKey } from "./patterns";

const START_UP_NAMES = new Set([
  ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout",
  ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc", ".xprofile", ".xinitrc", ".xsession", ".xsessionrc", "config.fish",
  "microsoft.powershell_profile.ps1", "profile.ps1", ".pam_environment",
]);
const START_UP_FOLDERS = ["/fish/conf.d/", "/.config/autostart/", "/.config/systemd/", "/library/launchagents/", "/library/launchdaemons/", "/var/spool/cron/"];
const CREDENTIAL_NAMES = new Set([".netrc", "_netrc", ".pgpass", ".my.cnf", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".git-credentials", ".htpasswd", ".vault-token"]);
const CREDENTIAL_FOLDERS = ["/.aws/", "/.gnupg/", "/.kube/", "/.azure/", "/.docker/config.json", "/.config/gh/", "/.config/gcloud/", "/mcp-tokens/"];
const SYSTEM_FOLDERS = ["/etc/", "/private/etc/", "/boot/", "/lib/systemd/", "/usr/lib/systemd/", "/system/library/"];

type Check = readonly [PatternKey, (path: string, name: string) => boolean];

const FILE_TOOL_CHECKS: readonly Check[] = [
  ["git hook write", (path, name) => path.includes("/.git/hooks/") || path.endsWith("/.git/hooks") || (name === "config" && path.endsWith("/.git/config"))],
  ["ssh file write", (path) => `${path}/`.includes("/.ssh/")],
  ["start-up file write", (path, name) => START_UP_NAMES.has(name) || START_UP_FOLDERS.some((folder) => path.includes(folder))],
  ["environment file write", (_path, name) => name.startsWith(".env")],
];

const TERMINAL_CHECKS: readonly Check[] = [
  ...FILE_TOOL_CHECKS,
  ["credential file write", (path, name) => CREDENTIAL_NAMES.has(name) || CREDENTIAL_FOLDERS.some((folder) => path.includes(folder))],
  ["system file write", (path) => SYSTEM_FOLDERS.some((folder) => `${path}/`.startsWith(folder))],
  ["config file write", (_path, name) => name === "config.yaml" || name === "config.yml"],
];

/** The pattern that writing `path` (absolute, or relative when the folder is unknown) falls under. */
export function sensitiveWrite(path: string, writer: "file_tool" | "terminal"): PatternKey | null {
  const folded = `/${path}`.toLowerCase().replace(/\/+/g, "/");
  const name = posix.basename(folded);
  const checks = writer === "file_tool" ? FILE_TOOL_CHECKS : TERMINAL_CHECKS;
  return checks.find(([, matches]) => matches(folded, name))?.[0] ?? null;
}

const RAW_DISK = /^\/dev\/(?:[shv]d[a-z]\d*|xvd[a-z]\d*|nvme\d+n\d+(?:p\d+)?|mmcblk\d+(?:p\d+)?|r?disk\d+(?:s\d+)*|dm-\d+|md\d+|loop\d+|sr\d+|nbd\d+|mapper\/.+|disk\/.+|k?mem|port)$/;

/** A block device, or memory, as a target: `/dev/sda1`, `/dev/mapper/root`. A glob or unknown end counts. */
export function isRawDisk(path: string): boolean {
  return RAW_DISK.test(path) || /^\/dev\/(?:[shv]d|xvd|nvme|mmcblk|r?disk)[^/]*[*?[\u{E000}\u{E001}]/u.test(path);
}
