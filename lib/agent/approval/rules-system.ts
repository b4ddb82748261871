/** The machine itself: permissions, disks, processes, services, shutdown. */
import { argumentsOf, spokenText, type ShellCommand } from "./shell-command";
import type { PatternKey } from "./patterns";
import { isProtectedTree, resolvePath } from "./protected-paths";
import { hasOption, readOptions } from "./read-options";
import { isRawDisk } from "./sensitive-files";

type Rule = (command: ShellCommand, name: string) => readonly PatternKey[];

export const permissionRule: Rule = (command, name) => {
  if (name !== "chmod" && name !== "chown" && name !== "chgrp") return [];
  // A mode such as `-w` looks like an option; `-R` is the only letter that matters here.
  const read = readOptions(argumentsOf(command));
  const isRecursive = hasOption(read, "R", "recursive");
  const [mode, ...targets] = read.operands;
  const findings: PatternKey[] = [];
  if (name === "chmod" && opensToAll(mode?.text ?? "")) findings.push("open permissions");
  if (name === "chmod" && setsUserId(mode?.text ?? "")) findings.push("set-user-id permission");
  if (name === "chown" && isRecursive && /^(?:root|0)(?:[:.]|$)/.test(mode?.text ?? "")) findings.push("recursive change of owner");
  if (isRecursive && targets.some((word) => isProtectedTree(word.text, command.scope))) findings.push("permissions of a system folder");
  return findings;
};

function opensToAll(mode: string): boolean {
  if (/^[0-7]{3,4}$/.test(mode)) return (Number.parseInt(mode.slice(-1), 8) & 2) !== 0;
  return mode.split(",").some((part) => /^[ug]*[oa][ugoa]*[+=][rxXst]*w/.test(part));
}

function setsUserId(mode: string): boolean {
  if (/^[0-7]{4}$/.test(mode)) return (Number.parseInt(mode.slice(0, 1), 8) & 6) !== 0;
  return mode.split(",").some((part) => /^[ugoa]*[+=][rwxXt]*s/.test(part));
}

const FORMATTERS = /^(?:mkfs(?:\..+)?|mke2fs|newfs(?:_.+)?|mkswap|wipefs|blkdiscard|mkdosfs|mkntfs)$/;
const PARTITIONERS = new Set(["fdisk", "sfdisk", "parted", "gdisk", "sgdisk", "cfdisk", "hdparm", "badblocks"]);

export const diskRule: Rule = (command, name) => {
  const words = argumentsOf(command);
  if (FORMATTERS.test(name)) return ["file system format"];
  if (name === "diskutil" && words.some((word) => /^(?:erase|partition|zero|secureErase|reformat)/i.test(word.text))) return ["file system format"];
  if (name === "dd") return words.some((word) => word.text.startsWith("of=") && isRawDisk(resolvePath(word.text.slice(3), command.scope))) ? ["raw disk write"] : ["raw copy with dd"];
  const touchesDisk = words.some((word) => isRawDisk(resolvePath(word.text, command.scope)));
  if (!touchesDisk) return [];
  if (PARTITIONERS.has(name)) return readOptions(words).options.some((option) => option.name === "l" || option.name === "list") ? [] : ["raw disk write"];
  return name === "shred" || name === "wipe" || name === "scrub" ? ["raw disk write"] : [];
};

export const shutdownRule: Rule = (command, name) => {
  const words = argumentsOf(command).map((word) => word.text.toLowerCase());
  const isOnlyHelp = words.length > 0 && words.every((word) => word === "--help" || word === "--version" || word === "-c");
  if (/^(?:shutdown|reboot|halt|poweroff)$/.test(name)) return isOnlyHelp ? [] : ["machine shutdown"];
  if ((name === "init" || name === "telinit") && words.some((word) => word === "0" || word === "6")) return ["machine shutdown"];
  const verbs = /^(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|emergency|rescue)$/;
  if ((name === "systemctl" || name === "loginctl") && words.some((word) => verbs.test(word))) return ["machine shutdown"];
  if (name === "systemctl" && words.some((word) => /^(?:poweroff|reboot|halt|shutdown|rescue|emergency)\.target$/.test(word))) return ["machine shutdown"];
  if (name === "osascript" && /\b(?:shut ?down|restart)\b/i.test(spokenText(command))) return ["machine shutdown"];
  return [];
};

/** Unix signal words in front of the pids: `-9`, `-KILL`, `-s KILL`, `--signal=KILL`. */
function killTargets(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  if (first === "--") return rest;
  if (first === "-s" || first === "-n" || first === "--signal") return killTargets(rest.slice(1));
  if (first.startsWith("--")) return killTargets(rest);
  if (/^-./.test(first) && rest.length > 0) return rest.filter((word) => word !== "--");
  return words;
}

export const processRule: Rule = (command, name) => {
  const words = argumentsOf(command);
  const texts = words.map((word) => word.text);
  if (name === "kill") return killFindings(command, texts);
  const names = texts.filter((text) => !text.startsWith("-"));
  const findings: PatternKey[] = [];
  if (name === "pkill" || name === "killall" || name === "killall5") {
    const isForced = texts.some((text) => /^-(?:9|(?:SIG)?KILL)$/i.test(text) || /^--signal=(?:9|(?:SIG)?KILL)$/i.test(text)) || /(?:^|\s)(?:-s|--signal)\s+(?:9|(?:SIG)?KILL)\b/i.test(texts.join(" "));
    if (isForced || (name === "killall" && texts.some((text) => /^-[a-z]*r|^--regexp$/.test(text)))) findings.push("forced kill by name");
    if (name === "killall5") findings.push("kill of every process");
    if (names.some((text) => /hermes/i.test(text))) findings.push("stop of hermes");
  }
  return findings;
};

function killFindings(command: ShellCommand, texts: readonly string[]): readonly PatternKey[] {
  const targets = killTargets(texts);
  if (texts.some((text) => text === "-l" || text === "-L" || text === "--list")) return [];
  if (targets.includes("-1")) return ["kill of every process"];
  if (targets.includes("1")) return ["machine shutdown"];
  const sources = argumentsOf(command).map((word) => word.source);
  if (sources.some((source) => /\b(?:pgrep|pidof|lsof|ps|fuser)\b/.test(source) && /[`$]/.test(source))) return ["kill of searched processes"];
  return sources.some((source) => /\$\{?PPID\b/.test(source)) ? ["stop of hermes"] : [];
}

const SERVICE_VERBS = /^(?:stop|restart|try-restart|reload-or-restart|disable|mask|kill|isolate)$/;

export const serviceRule: Rule = (command, name) => {
  const texts = argumentsOf(command).map((word) => word.text);
  const says = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  if (name === "hermes" || name === "hermes-agent") return hermesFindings(command, texts);
  if (name === "systemctl" || name === "rc-service") return says(SERVICE_VERBS) ? ["service stop or restart", ...(says(/hermes/i) ? (["stop of hermes"] as const) : [])] : [];
  if (name === "service" || name === "supervisorctl" || name === "pm2") return says(/^(?:stop|restart|delete|kill|shutdown)$/) ? ["service stop or restart"] : [];
  if (name === "launchctl") return says(/hermes/i) && says(/^(?:stop|unload|bootout|kickstart|kill|remove|disable)$/) ? ["stop of hermes"] : [];
  if (name === "crontab") return says(/^-[a-z]*l$/) ? [] : ["scheduled command"];
  return name === "at" || name === "batch" ? (says(/^-[lc]$/) ? [] : ["scheduled command"]) : [];
};

function hermesFindings(command: ShellCommand, texts: readonly string[]): readonly PatternKey[] {
  const spoken = texts.filter((text) => !text.startsWith("-"));
  if (spoken[0] === "update") return ["stop of hermes"];
  const gateway = spoken.indexOf("gateway");
  if (gateway === -1) return [];
  if (/^(?:stop|restart|uninstall)$/.test(spoken[gateway + 1] ?? "")) return ["stop of hermes"];
  return command.detached ? ["detached gateway"] : [];
}
