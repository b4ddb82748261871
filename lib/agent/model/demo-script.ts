/**
 * The script language of the demo model (contract 1.3; stable). A message is read line by line. A
 * step is what one model request does: any number of things said, thought, waited for, and then one
 * group of tool calls, or the end. Consecutive tool directives form one group; an empty line, or any
 * other directive, ends it. Lines that are no directive are skipped when the message holds one.
 */
import { RUN_FAILURE_CODES, type ModelFailureCode } from "#protocol/errors";

export type DemoAction =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "stream"; readonly count: number; readonly pause_ms: number | null }
  | { readonly kind: "think"; readonly text: string }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "fail"; readonly failure: ModelFailureCode | number }
  | { readonly kind: "call"; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

export type DemoStep = readonly DemoAction[];

export interface DirectiveHelp {
  readonly usage: string;
  readonly effect: string;
}

type Read = (argument: string) => DemoAction | null;

interface Directive extends DirectiveHelp {
  readonly read: Read;
}

const LONGEST_SLEEP_MS = 86_400_000;
const MOST_WORDS = 1_000_000;

const DIRECTIVES: ReadonlyMap<string, Directive> = new Map<string, Directive>([
  ["run", { usage: "run <command>", effect: "runs a command in the terminal", read: (command) => call("terminal", { command }) }],
  ["read", { usage: "read <path>", effect: "reads a file", read: (path) => call("read_file", { path }) }],
  ["write", { usage: "write <path>: <text>", effect: "writes a file", read: readWrite }],
  ["search", { usage: "search <pattern>", effect: "searches the files", read: (pattern) => call("search_files", { pattern }) }],
  ["ask", { usage: "ask <question> | <choice> | <choice>", effect: "asks you", read: readAsk }],
  ["plan", { usage: "plan a; b; c", effect: "sets the to-do list", read: readPlan }],
  ["think", { usage: "think <text>", effect: "shows reasoning", read: (text) => ({ kind: "think", text }) }],
  ["say", { usage: "say <text>", effect: "answers word by word", read: (text) => ({ kind: "say", text }) }],
  ["sleep", { usage: "sleep <ms>", effect: "waits", read: readSleep }],
  ["stream", { usage: "stream <n> [ms]", effect: "streams n words, with that pause between", read: readStream }],
  ["fail", { usage: "fail <code>", effect: "fails as a provider would, by a code or an HTTP status", read: readFail }],
]);

/** The directives, for people. */
export const DEMO_DIRECTIVES: readonly DirectiveHelp[] = [...DIRECTIVES.values()];

/** The steps of a message, or null when it holds no directive. */
export function parseDemoScript(message: string): readonly DemoStep[] | null {
  const steps: DemoAction[][] = [];
  let current: DemoAction[] = [];
  const close = (): void => {
    if (current.length > 0) steps.push(current);
    current = [];
  };
  for (const line of message.split(/\r\n|\r|\n/)) {
    const action = readLine(line.trim());
    const inGroup = current.at(-1)?.kind === "call";
    if (inGroup && (line.trim() === "" || (action !== null && action.kind !== "call"))) close();
    if (action !== null) current.push(action);
  }
  close();
  return steps.length > 0 ? steps : null;
}

function readLine(line: string): DemoAction | null {
  const [, word, argument] = /^([a-z]+)\s+(.+)$/.exec(line) ?? [];
  if (word === undefined || argument === undefined) return null;
  return DIRECTIVES.get(word)?.read(argument) ?? null;
}

function call(name: string, values: Readonly<Record<string, unknown>>): DemoAction {
  return { kind: "call", name, arguments: values };
}

function readWrite(argument: string): DemoAction | null {
  const [, path, content] = /^(.+?)\s*:(?:\s+(.*))?$/.exec(argument) ?? /^([^:]+?)\s*:(.*)$/.exec(argument) ?? [];
  return path === undefined ? null : call("write_file", { path, content: content ?? "" });
}

function readAsk(argument: string): DemoAction | null {
  const [question, ...choices] = argument.split("|").map((part) => part.trim()).filter((part) => part !== "");
  if (question === undefined) return null;
  return call("clarify", choices.length > 0 ? { question, choices } : { question });
}

function readPlan(argument: string): DemoAction | null {
  const texts = argument.split(";").map((part) => part.trim()).filter((part) => part !== "");
  return texts.length === 0 ? null : call("todo", { items: texts.map((text, at) => ({ id: String(at + 1), text, status: "pending" })) });
}

function readSleep(argument: string): DemoAction | null {
  return /^\d+$/.test(argument) ? { kind: "sleep", ms: Math.min(Number(argument), LONGEST_SLEEP_MS) } : null;
}

function readStream(argument: string): DemoAction | null {
  const [, count, ms] = /^(\d+)(?:\s+(\d+))?$/.exec(argument) ?? [];
  if (count === undefined) return null;
  return { kind: "stream", count: Math.min(Number(count), MOST_WORDS), pause_ms: ms === undefined ? null : Math.min(Number(ms), LONGEST_SLEEP_MS) };
}

function readFail(argument: string): DemoAction | null {
  if (/^[3-5]\d\d$/.test(argument)) return { kind: "fail", failure: Number(argument) };
  const code = RUN_FAILURE_CODES.find((known) => known === argument);
  return code === undefined || code === "internal" || code === "runtime_interrupted" ? null : { kind: "fail", failure: code };
}
