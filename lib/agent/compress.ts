/**
 * Compression: earlier turns are summed up by the model so that the conversation fits again. The
 * journal keeps every turn as it was; a `progress` of kind `compressed` holds the summary and names
 * the runs that it stands for, and only what the model is told changes. Whole runs are covered, so a
 * call and its result are never parted; the first and the last turns stay word for word.
 */
import type { PartOf, RunView } from "#protocol/run-view";
import { toModelMessages } from "#fold/model-messages";
import { askAuxiliary } from "./auxiliary";
import type { ResolvedModel, RunContext } from "./run-context";

const KEEP_FIRST_RUNS = 1;
const KEEP_LAST_RUNS = 2;
const SUMMARY_TIMEOUT_MS = 120_000;
const SUMMARY_TOKENS = 4_096;
/** What the summary request may hold, in characters: well inside the smallest window that is in use. */
const SOURCE_LIMIT_CHARACTERS = 60_000;

const INSTRUCTIONS = [
  "Sum up the conversation below so that the work can go on without it.",
  "Use these headings: Goal, Constraints, Done, In progress, Decisions, Files, Next steps, Facts to keep.",
  "Keep names, paths, numbers and commands exactly. Leave out pleasantries. Write nothing but the summary.",
].join("\n");

export interface CompressionInput {
  readonly context: RunContext;
  readonly model: ResolvedModel;
  /** What the person wants to be kept above all, or null. */
  readonly focus: string | null;
}

export type CompressionOutcome =
  | { readonly kind: "compressed"; readonly covers: readonly string[] }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly message: string };

/** The runs that a compression now would sum up, oldest first; empty when there is nothing to gain. */
export function compressibleRuns(history: readonly RunView[]): readonly RunView[] {
  const border = history.findLastIndex((view) => compressionOf(view) !== null);
  // An earlier summary is summed up again with what came after it: its run holds it and is covered too.
  const candidates = history.filter((view) => view.parts.length > 0 || view.message !== null);
  const first = border === -1 ? KEEP_FIRST_RUNS : 0;
  return candidates.slice(first, Math.max(first, candidates.length - KEEP_LAST_RUNS));
}

export async function compressHistory(input: CompressionInput): Promise<CompressionOutcome> {
  const { context, model, focus } = input;
  const history = context.history;
  const covered = compressibleRuns(history);
  if (covered.length === 0) return { kind: "failed", message: "There is nothing to sum up yet." };
  context.emit({ type: "progress", payload: { kind: "compressing", text: "Summing up earlier turns." } });
  const answer = await askAuxiliary({
    port: model.port,
    model: context.request.model,
    task: "Hermes compression",
    instructions: focus === null ? INSTRUCTIONS : `${INSTRUCTIONS}\nAbove all keep what concerns: ${focus}`,
    content: conversationText(history, covered),
    timeout_ms: SUMMARY_TIMEOUT_MS,
    max_output_tokens: SUMMARY_TOKENS,
    signal: context.signal,
  });
  if (!answer.ok) {
    if (answer.reason === "cancelled") return { kind: "cancelled" };
    return { kind: "failed", message: answer.message };
  }
  const covers = coveredIds(history, covered);
  context.emit({
    type: "progress",
    payload: { kind: "compressed", text: `Earlier turns were summed up, ${covers.length} of them.`, summary: answer.text, covers: [...covers] },
  });
  return { kind: "compressed", covers };
}

/** What an earlier summary covered stays covered by the new one. */
function coveredIds(history: readonly RunView[], covered: readonly RunView[]): readonly string[] {
  const ids = new Set(covered.map((view) => view.run_id));
  for (const view of history) {
    for (const id of compressionOf(view)?.covers ?? []) ids.add(id);
  }
  return [...ids];
}

function compressionOf(view: RunView): PartOf<"progress"> | null {
  return view.parts.find((part): part is PartOf<"progress"> => part.type === "progress" && part.kind === "compressed" && part.summary !== null) ?? null;
}

function conversationText(history: readonly RunView[], covered: readonly RunView[]): string {
  const inside = new Set(covered.map((view) => view.run_id));
  const text = toModelMessages(history.filter((view) => inside.has(view.run_id)), { system: null, images: false })
    .map((message) => `${message.role}: ${message.content}`)
    .join("\n\n");
  if (text.length <= SOURCE_LIMIT_CHARACTERS) return text;
  const head = Math.floor(SOURCE_LIMIT_CHARACTERS * 0.4);
  return `${text.slice(0, head)}\n\n[…]\n\n${text.slice(text.length - (SOURCE_LIMIT_CHARACTERS - head))}`;
}
