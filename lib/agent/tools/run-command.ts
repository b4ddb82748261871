/**
 * One foreground command from start to end: its output as it comes, its exit, its time limit, a stop.
 * Whatever ends it, what it printed until then is kept, and after a time limit or a stop its whole
 * tree is gone. What a command leaves running in the background goes on until its run ends.
 */
import { pumpOutput } from "./output-pump";
import type { ProcessTable } from "./process-table";
import { type CommandExit, type CommandRequest, type ProcessTree, startTree } from "./process-tree";
import { createTextExcerpt, type Excerpt, firstCharacters } from "./text-excerpt";
import type { StopReport, ToolContext } from "./tool-port";

export type CommandEnd =
  | CommandExit
  | { readonly kind: "timeout"; readonly stopped: StopReport }
  | { readonly kind: "aborted"; readonly stopped: StopReport }
  | { readonly kind: "failed"; readonly message: string };

export interface CommandResult {
  readonly end: CommandEnd;
  /** Both streams in the order they came, at most 50,000 characters with the note of the cut. */
  readonly output: Excerpt;
  /** Bytes of both streams. */
  readonly bytes: number;
}

/** Room for the note and the line about the exit stays below 50,000. */
const HEAD_CHARACTERS = 19_800;
const TAIL_CHARACTERS = 29_700;
const UPDATE_CHARACTERS = 200_000;
const LONGEST_PIECE = 16_384;

/** Passes pieces on until the limit and tells whether it did; more is only counted by the pump. */
function createUpdates(update: ToolContext["update"]): (name: "stdout" | "stderr", text: string) => boolean {
  let room = UPDATE_CHARACTERS;
  return (name, text) => {
    let rest = room === 0 ? "" : firstCharacters(text, room);
    const passesOn = rest !== "";
    room = rest.length < text.length ? 0 : room - rest.length;
    while (rest !== "") {
      const piece = firstCharacters(rest, LONGEST_PIECE);
      update({ [name]: piece });
      rest = rest.slice(piece.length);
    }
    return passesOn;
  };
}

type Cause = CommandExit | { readonly kind: "timeout" } | { readonly kind: "aborted" };

/** What happens first. Leaves no timer and no listener behind. */
async function firstCause(tree: ProcessTree, timeoutMs: number, signal: AbortSignal): Promise<Cause> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const timeout = new Promise<Cause>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "timeout" }), timeoutMs);
  });
  const aborted = new Promise<Cause>((resolve) => {
    onAbort = () => resolve({ kind: "aborted" });
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([tree.exited, timeout, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Never rejects for what can be expected. */
export async function runCommand(table: ProcessTable, request: CommandRequest, timeoutMs: number, context: ToolContext): Promise<CommandResult> {
  const kept = createTextExcerpt(HEAD_CHARACTERS, TAIL_CHARACTERS);
  const started = await startTree(table, request);
  if (started.kind === "failed") return { end: started, output: { text: "", shown: 0, total: 0 }, bytes: 0 };
  const { tree } = started;
  const pass = createUpdates(context.update);
  const pump = pumpOutput(tree, {
    text(name, text) {
      kept.add(text);
      return pass(name, text);
    },
    drained: context.drained,
  });
  const cause = await firstCause(tree, timeoutMs, context.signal);
  const end: CommandEnd = cause.kind === "timeout" || cause.kind === "aborted" ? { kind: cause.kind, stopped: await tree.stop() } : cause;
  await pump.settle();
  pump.release("stopped" in end && end.stopped.survivors === 0);
  const output = kept.excerpt((shown, total) => `[output cut: ${pump.bytes} bytes in all, ${shown} of ${total} characters shown]`);
  return { end, output, bytes: pump.bytes };
}
