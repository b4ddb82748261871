/**
 * What a command prints, where reading is enough to tell: `echo`, `printf`, `cat`, decoders. So that
 * `echo cm0gLXJm… | base64 -d | sh` is judged by what it runs. Otherwise the text is unknown, but it
 * is still known where it came from.
 */
import { argumentsOf, commandName, originOf, type ShellCommand } from "./shell-command";
import { decodeEscapes } from "./normalise";
import { resolvePath } from "./protected-paths";
import { hasOption, readOptions } from "./read-options";
import { strongerOrigin, UNKNOWN, UNSET, type ShellOutput } from "./shell-scope";

const FETCHERS = new Set(["curl", "wget", "fetch", "http", "https", "xh", "aria2c", "lynx", "nc", "ncat", "netcat", "socat", "ftp", "scp", "sftp", "rclone", "gsutil"]);
const DECODERS = new Set(["base64", "base32", "xxd", "openssl", "tr", "rev", "gunzip", "zcat", "bunzip2", "bzcat", "unxz", "xzcat", "gpg", "uudecode"]);
const SILENT = new Set([":", "true", "false", "cd", "pushd", "popd", "export", "set", "unset", "mkdir", "touch", "sleep", "test", "[", "shopt", "umask", "read"]);

type Print = (command: ShellCommand) => string;

const PRINTERS: Readonly<Record<string, Print>> = {
  echo: (command) => {
    const words = argumentsOf(command).map((word) => word.text);
    const flags = words.findIndex((word) => !/^-[neE]+$/.test(word));
    const text = words.slice(flags === -1 ? words.length : flags).join(" ");
    return `${words.slice(0, flags === -1 ? words.length : flags).some((flag) => flag.includes("e")) ? decodeEscapes(text) : text}\n`;
  },
  printf: (command) => printFormatted(argumentsOf(command).map((word) => word.text)),
  cat: (command) => printFiles(command),
  tee: (command) => command.input?.text ?? UNKNOWN,
  base64: (command) => decodeBase64(command),
  xxd: (command) => (hasOption(readOptions(argumentsOf(command)), "r", "revert") ? decodeHex(readInput(command)) : UNKNOWN),
  rev: (command) => readInput(command).split("\n").map((line) => [...line].reverse().join("")).join("\n"),
  pwd: (command) => `${command.scope.workingFolder ?? UNKNOWN}\n`,
  which: (command) => `${argumentsOf(command).at(-1)?.text ?? UNKNOWN}\n`,
};

export function outputOf(command: ShellCommand): ShellOutput {
  const name = commandName(command) ?? "";
  const origin = ownOrigin(name, command);
  if (SILENT.has(name)) return { text: "", origin: "plain" };
  const print = PRINTERS[name];
  const text = print === undefined ? UNKNOWN : print(command);
  if (name === "echo" && text.includes("\\")) return { text, decoded: decodeEscapes(text), origin };
  return { text: text.includes(UNKNOWN) && /^\s*$/.test(text.replaceAll(UNKNOWN, "")) ? UNKNOWN : text, origin };
}

function ownOrigin(name: string, command: ShellCommand): ShellOutput["origin"] {
  if (FETCHERS.has(name)) return "remote";
  return DECODERS.has(name) ? strongerOrigin("decoded", originOf(command)) : originOf(command);
}

/** A file operand that this command wrote itself, else what comes on standard input. */
function readInput(command: ShellCommand): string {
  const file = readOptions(argumentsOf(command)).operands.find((word) => word.text !== "-");
  if (file !== undefined) return command.scope.files.get(resolvePath(file.text, command.scope))?.text ?? UNKNOWN;
  return command.input?.text ?? UNKNOWN;
}

function printFiles(command: ShellCommand): string {
  const { operands } = readOptions(argumentsOf(command));
  if (operands.length === 0) return command.input?.text ?? UNKNOWN;
  return operands
    .map((word) => (word.text === "-" ? command.input?.text : command.scope.files.get(resolvePath(word.text, command.scope))?.text) ?? UNKNOWN)
    .join("");
}

function decodeBase64(command: ShellCommand): string {
  const isDecoding = hasOption(readOptions(argumentsOf(command), { valued: "w" }), "dD", "decode");
  const text = readInput(command);
  if (!isDecoding || text.includes(UNKNOWN) || text.includes(UNSET)) return UNKNOWN;
  return Buffer.from(text, "base64").toString("utf8");
}

function decodeHex(text: string): string {
  const digits = text.replace(/[^0-9a-fA-F]/g, "");
  return text.includes(UNKNOWN) || digits.length === 0 ? UNKNOWN : Buffer.from(digits, "hex").toString("utf8");
}

const MAX_ROUNDS = 64;
const MAX_PRINTED = 128_000;

function printFormatted(words: readonly string[]): string {
  const [option, ...afterOption] = words;
  if (option === "-v") return "";
  const [format = "", ...values] = option === "--" ? afterOption : words;
  const queue = [...values];
  const directives = decodeEscapes(format.replace(/%b/g, "%\u{E00F}")).replaceAll("\u{E00F}", "b");
  let text = "";
  for (let round = 0; round < MAX_ROUNDS && text.length < MAX_PRINTED && (round === 0 || queue.length > 0); round += 1) {
    const before = queue.length;
    text += directives.replace(/%%|%[-+ 0#]*[\d*]*(?:\.[\d*]+)?([a-zA-Z])/g, (directive, kind: string | undefined) => {
      if (directive === "%%") return "%";
      const value = queue.shift() ?? "";
      if (kind === "c") return value.slice(0, 1);
      return kind === "b" ? decodeEscapes(value) : value;
    });
    if (queue.length === before) break;
  }
  return text;
}
