/**
 * Turns as a flat list of rows: what is drawn, in which order, under which key, and how far below the
 * row before it. Flat, so that a long transcript can be windowed by blocks of rows, and pure, so that
 * a turn that did not change gives the same rows (the caller remembers them by the turn's run).
 *
 * Keys come from ids of the journal: a row keeps its element while its state changes (B027, B221).
 * The call that a prompt asks about is drawn after the prompt, and only once the prompt is settled.
 */
import { outcomeOf, type Turn, type TurnBlock, type TurnOpening, type TurnOutcome } from "#fold/transcript";
import type { PartOf, RunView } from "#protocol/run-view";
import { isActive } from "#protocol/status";

export type ViewMode = "detailed" | "compact" | "answer";
type Approval = PartOf<"approval">;
type Work = PartOf<"tool"> | PartOf<"reasoning">;

export type Row =
  | { readonly kind: "message"; readonly key: string; readonly run: RunView }
  | { readonly kind: "opening"; readonly key: string; readonly run: RunView; readonly opening: Exclude<TurnOpening, "person"> }
  | { readonly kind: "thinking"; readonly key: string; readonly part: PartOf<"reasoning">; readonly runEnded: boolean }
  | { readonly kind: "tool"; readonly key: string; readonly part: PartOf<"tool">; readonly approval: Approval | null }
  | { readonly kind: "steps"; readonly key: string; readonly parts: readonly Work[]; readonly live: boolean }
  | { readonly kind: "worked"; readonly key: string; readonly run: RunView }
  | { readonly kind: "words"; readonly key: string; readonly part: PartOf<"text">; readonly live: boolean }
  | { readonly kind: "approval"; readonly key: string; readonly part: Approval; readonly runId: string }
  | { readonly kind: "question"; readonly key: string; readonly part: PartOf<"clarify">; readonly runId: string }
  | { readonly kind: "steer"; readonly key: string; readonly part: PartOf<"steer">; readonly ended: boolean }
  | { readonly kind: "progress"; readonly key: string; readonly part: PartOf<"progress"> }
  | { readonly kind: "warning"; readonly key: string; readonly part: PartOf<"error"> }
  | { readonly kind: "outcome"; readonly key: string; readonly run: RunView; readonly outcome: TurnOutcome }
  | { readonly kind: "foot"; readonly key: string; readonly run: RunView; readonly live: boolean };
export type RowKind = Row["kind"];

const WAITING: ReadonlySet<string> = new Set(["awaiting_approval", "awaiting_clarify"]);

/** Compact: this many neighbouring traces or more become one line. */
const FOLDED_FROM = 2;

export function rowsOfTurn(turn: Turn, mode: ViewMode): readonly Row[] {
  const { run } = turn;
  const live = isActive(run.status);
  const prompts = promptsByCall(turn.blocks);
  const rows: Row[] = openingRows(turn);
  if (mode === "answer" && turn.blocks.some((block) => block.kind === "work")) rows.push({ kind: "worked", key: `${run.run_id}:worked`, run });
  for (const [index, block] of turn.blocks.entries()) {
    rows.push(...rowsOfBlock(block, { run, mode, prompts, isLast: index === turn.blocks.length - 1, key: `${run.run_id}:${index}` }));
  }
  const outcome = outcomeOf(run);
  if (outcome !== null) rows.push({ kind: "outcome", key: `${run.run_id}:outcome`, run, outcome });
  // A run that waits for the person has no live line: its prompt says all there is to say.
  if (!WAITING.has(run.status)) rows.push({ kind: "foot", key: `${run.run_id}:foot`, run, live });
  return rows;
}

function openingRows(turn: Turn): Row[] {
  const { run, opening } = turn;
  const rows: Row[] = [];
  const spoken = run.message !== null && opening !== "process";
  if (spoken) rows.push({ kind: "message", key: `${run.run_id}:message`, run });
  if (opening === "retry" || opening === "process" || (opening === "goal" && !spoken)) {
    rows.push({ kind: "opening", key: `${run.run_id}:opening`, run, opening });
  }
  return rows;
}

interface Prompts {
  readonly approvals: ReadonlyMap<string, Approval>;
  readonly questions: ReadonlySet<string>;
}

function promptsByCall(blocks: readonly TurnBlock[]): Prompts {
  const approvals = new Map<string, Approval>();
  const questions = new Set<string>();
  for (const block of blocks) {
    if (block.kind === "approval") approvals.set(block.part.tool_call_id, block.part);
    if (block.kind === "clarify") questions.add(block.part.tool_call_id);
  }
  return { approvals, questions };
}

interface Place {
  readonly run: RunView;
  readonly mode: ViewMode;
  readonly prompts: Prompts;
  readonly isLast: boolean;
  readonly key: string;
}

function rowsOfBlock(block: TurnBlock, place: Place): readonly Row[] {
  const { run } = place;
  switch (block.kind) {
    case "work":
      return workRows(block.parts, place);
    case "words":
      return [{ kind: "words", key: block.part.segment_id, part: block.part, live: place.isLast && run.status === "running" }];
    case "approval":
      // Drawn before its call, among the traces: see workRows.
      return run.parts.some((part) => part.type === "tool" && part.tool_call_id === block.part.tool_call_id) ? [] : [approvalRow(block.part, run)];
    case "clarify":
      return [{ kind: "question", key: block.part.clarify_id, part: block.part, runId: run.run_id }];
    case "todo":
      return [];
    case "steer":
      return [{ kind: "steer", key: block.part.queue_id, part: block.part, ended: !isActive(run.status) }];
    case "progress":
      return place.mode === "answer" && block.part.kind !== "compressed" ? [] : [{ kind: "progress", key: place.key, part: block.part }];
    case "error":
      return run.error !== null && place.isLast ? [] : [{ kind: "warning", key: place.key, part: block.part }];
  }
}

function approvalRow(part: Approval, run: RunView): Row {
  return { kind: "approval", key: part.approval_id, part, runId: run.run_id };
}

/** Traces, each after the approval that it needed. A question's own call is drawn as the question. */
function workRows(parts: readonly Work[], place: Place): readonly Row[] {
  const rows: Row[] = [];
  let stretch: Work[] = [];
  const flush = (): void => {
    rows.push(...stretchRows(stretch, place));
    stretch = [];
  };
  for (const part of parts) {
    if (part.type === "tool" && place.prompts.questions.has(part.tool_call_id)) continue;
    const approval = part.type === "tool" ? place.prompts.approvals.get(part.tool_call_id) : undefined;
    if (approval !== undefined) {
      flush();
      rows.push(approvalRow(approval, place.run));
      if (approval.status === "pending") continue;
    }
    stretch.push(part);
  }
  flush();
  return rows;
}

function stretchRows(parts: readonly Work[], place: Place): readonly Row[] {
  const [first] = parts;
  if (first === undefined || place.mode === "answer") return [];
  if (place.mode === "compact" && parts.length >= FOLDED_FROM) {
    const live = parts.some((part) => (part.type === "tool" ? part.status === "running" || part.status === "pending" : !part.done));
    return [{ kind: "steps", key: `steps:${workKey(first)}`, parts, live }];
  }
  return parts.map((part) => workRow(part, place.prompts, place.run));
}

export function workKey(part: Work): string {
  return part.type === "tool" ? part.tool_call_id : part.segment_id;
}

export function workRow(part: Work, prompts: Pick<Prompts, "approvals">, run: RunView): Row {
  if (part.type === "reasoning") return { kind: "thinking", key: part.segment_id, part, runEnded: !isActive(run.status) };
  return { kind: "tool", key: part.tool_call_id, part, approval: prompts.approvals.get(part.tool_call_id) ?? null };
}

/** The kinds that stand in the tight rhythm of traces. */
const TRACE: Readonly<Record<RowKind, boolean>> = {
  message: false,
  opening: true,
  thinking: true,
  tool: true,
  steps: true,
  worked: true,
  words: false,
  approval: false,
  question: false,
  steer: true,
  progress: true,
  warning: true,
  outcome: false,
  foot: false,
};

/** Space above a row in steps of 4 px, by what stands before it; null for the first row of all. */
export function spaceAbove(row: Row, before: Row | null): number {
  if (before === null) return 0;
  if (row.kind === "message" || before.kind === "foot") return 8;
  if (before.kind === "message") return 5;
  if (row.kind === "foot") return 2;
  if (row.kind === "outcome") return 3;
  if (row.kind === "words") return isTrace(before) ? 4 : 3;
  if (isTrace(row) && isTrace(before)) return 0;
  if (isTrace(row)) return before.kind === "words" ? 2 : 3;
  return 4;
}

/** A prompt that is settled is one line among the traces. */
function isTrace(row: Row): boolean {
  if (row.kind === "approval" || row.kind === "question") return row.part.status !== "pending";
  return TRACE[row.kind];
}
