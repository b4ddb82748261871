/** Git, databases, containers, administrator rights: programs with verbs of their own. */
import { argumentsOf, spokenText, type ShellCommand } from "./shell-command";
import type { PatternKey } from "./patterns";
import { hasOption, optionValues, readOptions } from "./read-options";
import type { ShellWord } from "./shell-word";
import { WRAPPERS } from "./wrapper-table";

type Rule = (command: ShellCommand, name: string) => readonly PatternKey[];

const GIT_SYNTAX = { valued: "Cc", longValued: ["git-dir", "work-tree", "namespace", "exec-path", "config-env"], untilOperand: true };
const GIT_COMMAND_SETTINGS = /^(?:alias\.|core\.(?:sshcommand|pager|editor|fsmonitor|hookspath|askpass|gitproxy)|sequence\.editor|diff\.external|credential\.helper|filter\.|.*\.textconv|gpg\.)/i;

export const gitRule: Rule = (command, name) => {
  if (name !== "git") return [];
  const global = readOptions(argumentsOf(command), GIT_SYNTAX);
  const [verb, ...words] = global.rest;
  const findings = [...(GIT_VERBS[verb?.text.toLowerCase() ?? ""]?.(words) ?? [])];
  const runsHelper = hasOption(global, "", "exec-path") && optionValues(global, "", "exec-path").length > 0;
  if (runsHelper || words.some((word) => word.text.startsWith("ext::"))) findings.push("command hidden in an option");
  if (optionValues(global, "c", "config-env").some((word) => GIT_COMMAND_SETTINGS.test(word.text))) findings.push("command hidden in an option");
  return findings;
};

const GIT_VERBS: Readonly<Record<string, (words: readonly ShellWord[]) => readonly PatternKey[]>> = {
  reset: (words) => (hasOption(readOptions(words), "", "hard") ? ["git reset --hard"] : []),
  push: (words) => {
    const read = readOptions(words, { valued: "o", longValued: ["push-option", "repo", "receive-pack"] });
    const forces = hasOption(read, "fd", "force", "delete", "mirror", "prune") || read.options.some((option) => option.name.startsWith("force"));
    return forces || read.operands.slice(1).some((word) => /^[+:]./.test(word.text)) ? ["git force push"] : [];
  },
  clean: (words) => {
    const read = readOptions(words, { valued: "e", longValued: ["exclude"] });
    return hasOption(read, "f", "force") && !hasOption(read, "n", "dry-run") ? ["git clean"] : [];
  },
  branch: (words) => {
    const read = readOptions(words, { valued: "u", longValued: ["set-upstream-to"] });
    return hasOption(read, "D") || (hasOption(read, "d", "delete") && hasOption(read, "f", "force")) ? ["git branch delete"] : [];
  },
  config: (words) => {
    const { operands } = readOptions(words, { valued: "ft", longValued: ["file", "type", "default"] });
    const names = operands.filter((word) => word.text !== "set" && word.text !== "get");
    return names.length > 1 && GIT_COMMAND_SETTINGS.test(names[0]?.text ?? "") && operands[0]?.text !== "get" ? ["git hook write"] : [];
  },
};

const DATABASE_CLIENT = /(?:sql|maria|duckdb|clickhouse|cockroach|mongo|redis|valkey|prisma|pgcli|mycli|litecli|usql|snowflake|beeline|trino|presto|turso|wrangler)/i;
/** Programs that only carry text; what they say is not sent to a database. */
const TEXT_TOOLS = new Set([
  "echo", "printf", "grep", "egrep", "rg", "ag", "ack", "sed", "awk", "cat", "less", "head", "tail", "git", "gh", "find", "ls", "diff",
  "cp", "mv", "rm", "mkdir", "touch", "tee", "code", "vim", "nano",
]);

export const databaseRule: Rule = (command, name) => {
  if (TEXT_TOOLS.has(name) || !command.words.some((word) => DATABASE_CLIENT.test(word.text))) return [];
  const text = spokenText(command).replace(/\/\*[\s\S]*?\*\//g, " ").replace(/--[^\n"']*(?=\n)/g, " ");
  const findings: PatternKey[] = [];
  const drops = /\bDROP\s+(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX|USER|ROLE|KEYSPACE)\b|\bdropDatabase\b|\.drop\(\)|\bFLUSH(?:ALL|DB)\b|\bTRUNCATE\b/i;
  if (drops.test(text) || /\bmigrate\s+reset\b|\bdb\s+push\b.*--force-reset/.test(text)) findings.push("database drop");
  const deletions = text.match(/\bDELETE\s+FROM\b[^;]*/gi) ?? [];
  if (deletions.some((statement) => !/\bWHERE\b/i.test(statement)) || /\bdeleteMany\(\s*(?:\{\s*\})?\s*\)/.test(text)) findings.push("delete of all rows");
  return findings;
};

const CONTAINER_TOOLS = new Set(["docker", "podman", "nerdctl", "docker-compose", "podman-compose"]);
const CONTAINER_SYNTAX = { valued: "cHlfp", longValued: ["context", "host", "config", "log-level", "file", "project-name", "project-directory", "profile", "env-file", "url", "connection"], untilOperand: true };

export const containerRule: Rule = (command, name) => {
  const assigned = command.assignments.has("DOCKER_HOST") || command.assignments.has("CONTAINER_HOST") || command.assignments.has("DOCKER_CONTEXT");
  const findings: PatternKey[] = assigned ? ["remote container host"] : [];
  if (!CONTAINER_TOOLS.has(name)) return findings;
  const global = readOptions(argumentsOf(command), CONTAINER_SYNTAX);
  const isCompose = name.endsWith("-compose");
  if (!isCompose && (hasOption(global, "Hcr", "host", "context", "remote", "url", "connection") || global.options.some((option) => option.name === "tlsverify"))) findings.push("remote container host");
  const [verb, second] = global.rest;
  const rest = verb?.text === "compose" ? readOptions(global.rest.slice(1), CONTAINER_SYNTAX).rest : global.rest;
  const verbs = rest.filter((word) => !word.text.startsWith("-")).map((word) => word.text);
  if (verb?.text === "context" && second?.text === "use") findings.push("remote container host");
  return [...findings, ...verbFindings(verbs, rest)];
};

function verbFindings(verbs: readonly string[], words: readonly ShellWord[]): readonly PatternKey[] {
  const [first = "", second = ""] = verbs;
  const isGrouped = /^(?:container|service|stack|pod|machine)$/.test(first);
  const verb = isGrouped ? second : first;
  const texts = words.map((word) => word.text);
  if (/^(?:prune)$/.test(second) || (first === "volume" && second === "rm") || (verb === "down" && texts.some((text) => /^(?:-v|--volumes)$/.test(text)))) return ["container clean-up"];
  if (/^(?:restart|stop|kill|down|rm|pause)$/.test(verb)) return ["container stop"];
  const reachesHost = texts.some((text, position) => {
    if (text === "--privileged" || text === "--pid=host" || /^(?:-v=?|--volume=?)?\/:/.test(text)) return true;
    return /^--mount/.test(text) && /(?:source|src)=\/(?:,|$)/.test(`${text} ${texts[position + 1] ?? ""}`);
  });
  return (verb === "run" || verb === "create" || verb === "exec") && reachesHost ? ["container with host access"] : [];
}

export const privilegeRule: Rule = (command, name) => {
  if (name === "su" || name === "runuser") return ["elevated shell"];
  if (name !== "sudo" && name !== "doas") return [];
  const read = readOptions(argumentsOf(command), { ...WRAPPERS[name], untilOperand: true });
  const findings: PatternKey[] = [];
  if (name === "sudo" && hasOption(read, "SA", "stdin", "askpass")) findings.push("sudo with a piped password");
  if (hasOption(read, name === "sudo" ? "sai" : "s", "shell", "auth-type", "login")) findings.push("elevated shell");
  return findings;
};
