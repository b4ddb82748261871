/** What the line below the composer says, and what a text that begins with a slash is. */
import type { QueueMode } from "#protocol/event-values";
import { spelled } from "../words/count-words";

export const MODE_LABEL: Readonly<Record<QueueMode, string>> = { queue: "Queue", steer: "Steer", interrupt: "Interrupt" };

interface SendState {
  readonly busy: boolean;
  readonly mode: QueueMode;
  /** Items that wait already. */
  readonly queued: number;
  readonly held: boolean;
}

const WHAT_SEND_DOES: Readonly<Record<QueueMode, (queued: number) => string>> = {
  queue: (queued) => `Sent when this turn ends${queued === 0 ? "" : `, after ${spelled(queued)} ${queued === 1 ? "other" : "others"}`}`,
  steer: () => "Read by the agent at its next step",
  interrupt: () => "Stops this turn, then is sent first",
};

export function sendNote({ busy, mode, queued, held }: SendState): string {
  if (busy) return WHAT_SEND_DOES[mode](queued);
  if (held) return "Sent at once, the held ones stay";
  return "Enter sends, Shift-Enter breaks the line";
}

interface CommandName {
  readonly name: string;
  readonly aliases: readonly string[];
}

export type SlashText<C extends CommandName> =
  /** Goes to the model as it is: a path, two slashes, text in front of the slash. */
  | { readonly kind: "text" }
  /** The first word is still being written: these may be meant. */
  | { readonly kind: "choosing"; readonly matches: readonly C[] }
  | { readonly kind: "command"; readonly command: C }
  /** Reads like a command, and none has this name: it is not sent to the model. */
  | { readonly kind: "unknown"; readonly name: string };

const SLASH_WORD = /^\/([a-z][a-z0-9_-]*)?(\s|$)/i;

/** B261: only an ASCII slash at the very start, followed by one word, can be a command. */
export function readSlash<C extends CommandName>(text: string, commands: readonly C[]): SlashText<C> {
  const match = SLASH_WORD.exec(text);
  if (match === null) return { kind: "text" };
  const word = (match[1] ?? "").toLowerCase();
  const typing = match[2] === "";
  const exact = commands.find((command) => command.name === word || command.aliases.includes(word));
  if (!typing) {
    if (word === "") return { kind: "text" };
    return exact === undefined ? { kind: "unknown", name: word } : { kind: "command", command: exact };
  }
  const matches = commands.filter((command) => [command.name, ...command.aliases].some((name) => name.startsWith(word)));
  if (matches.length > 0) return { kind: "choosing", matches };
  return { kind: "unknown", name: word };
}
