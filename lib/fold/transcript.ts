/**
 * Views as they are drawn: turns with their blocks, and how a turn ended. Pure; components ask here
 * and read no event.
 */
import type { PartOf, RunView, ViewPart } from "#protocol/run-view";
import type { TerminalState } from "#protocol/status";
import type { SessionView } from "./session-view";

/** Neighbouring traces (tools, thinking) are one `work` block, which a compact view folds into one line. */
export type TurnBlock =
  | { readonly kind: "words"; readonly part: PartOf<"text"> }
  | { readonly kind: "work"; readonly parts: readonly (PartOf<"tool"> | PartOf<"reasoning">)[] }
  | { readonly kind: "approval"; readonly part: PartOf<"approval"> }
  | { readonly kind: "clarify"; readonly part: PartOf<"clarify"> }
  | { readonly kind: "todo"; readonly part: PartOf<"todo"> }
  | { readonly kind: "steer"; readonly part: PartOf<"steer"> }
  | { readonly kind: "progress"; readonly part: PartOf<"progress"> }
  | { readonly kind: "error"; readonly part: PartOf<"error"> };

/** Who or what opened a turn. `message`: the run's message is drawn as words of the person (or of the report that began it). */
export type TurnOpening = "person" | "queue" | "steer" | "goal" | "retry" | "compress" | "process" | "delegate";

export interface Turn {
  readonly run: RunView;
  readonly opening: TurnOpening;
  /** 1, or for a retry how many tries there were with it, as far as they are loaded. */
  readonly attempt: number;
  readonly blocks: readonly TurnBlock[];
}

const OPENINGS: ReadonlyMap<string, TurnOpening> = new Map(
  (["queue", "steer", "goal", "retry", "compress", "process", "delegate"] as const).map((opening) => [opening, opening]),
);

/** The turns of a session that are drawn, oldest first; what was rewound is left out. */
export function turnsOf(view: Pick<SessionView, "runs">): readonly Turn[] {
  return view.runs.flatMap((run, index) => (run.rewound ? [] : [turnOf(run, triesBefore(view.runs, index))]));
}

export function turnOf(run: RunView, triesBeforeIt = 0): Turn {
  const opening = OPENINGS.get(run.source) ?? "person";
  return { run, opening, attempt: opening === "retry" ? triesBeforeIt + 1 : 1, blocks: blocksOf(run.parts) };
}

function triesBefore(runs: readonly RunView[], index: number): number {
  let tries = 0;
  while (runs[index - 1 - tries]?.rewound === true) tries += 1;
  return tries;
}

/** Parts in their order; the todo and the error that ended the run are blocks of their own. */
function blocksOf(parts: readonly ViewPart[]): readonly TurnBlock[] {
  const blocks: TurnBlock[] = [];
  let work: (PartOf<"tool"> | PartOf<"reasoning">)[] = [];
  for (const part of parts) {
    if (part.type === "tool" || part.type === "reasoning") {
      if (work.length === 0) blocks.push({ kind: "work", parts: work });
      work.push(part);
    } else {
      const block = singleBlock(part);
      if (block === null) continue;
      work = [];
      blocks.push(block);
    }
  }
  return blocks;
}

function singleBlock(part: Exclude<ViewPart, PartOf<"tool"> | PartOf<"reasoning">>): TurnBlock | null {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? null : { kind: "words", part };
    case "approval":
      return { kind: "approval", part };
    case "clarify":
      return { kind: "clarify", part };
    case "todo":
      return { kind: "todo", part };
    case "steer":
      return { kind: "steer", part };
    case "progress":
      return { kind: "progress", part };
    case "error":
      return { kind: "error", part };
  }
}

/** How a turn ended, where there is something to say about it. Seconds are of the run's own clock. */
export type TurnOutcome =
  | { readonly kind: "stopped"; readonly after_s: number; readonly processes: number; readonly survivors: number; readonly reason: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly retryable: boolean }
  | { readonly kind: "interrupted"; readonly at: number; readonly message: string }
  | { readonly kind: "too_long" }
  | { readonly kind: "step_limit"; readonly steps: number }
  | { readonly kind: "no_answer" }
  | { readonly kind: "expired" };

const OUTCOMES: Readonly<Record<TerminalState, (run: RunView) => TurnOutcome | null>> = {
  completed: () => null,
  cancelled: (run) => ({
    kind: "stopped",
    after_s: (run.ended_at ?? run.started_at) - run.started_at,
    processes: run.cancelled?.processes ?? 0,
    survivors: run.cancelled?.survivors ?? 0,
    reason: run.cancelled?.reason ?? "",
  }),
  failed: (run) => ({
    kind: "failed",
    code: run.error?.code ?? "internal",
    message: run.error?.message ?? "",
    retryable: run.error?.retryable ?? false,
  }),
  interrupted: (run) => ({ kind: "interrupted", at: run.ended_at ?? run.started_at, message: run.error?.message ?? "" }),
  expired: () => ({ kind: "expired" }),
  tool_limit_reached: (run) => ({ kind: "step_limit", steps: run.steps }),
  no_response: () => ({ kind: "no_answer" }),
  compression_exhausted: () => ({ kind: "too_long" }),
};

/** B227: decided by the run's terminal state alone. Null while it runs and after an ordinary end. */
export function outcomeOf(run: RunView): TurnOutcome | null {
  return run.terminal_state === null ? null : OUTCOMES[run.terminal_state](run);
}

/** What is known for the line below a turn; null is unknown and left out. `seconds`: how long it took, or null while it runs. */
export interface UsageFacts {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
  readonly provider: string;
  readonly model: string;
  readonly seconds: number | null;
}

export function usageFactsOf(run: RunView): UsageFacts {
  const { usage } = run;
  return {
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    cost_usd: usage?.cost_usd ?? null,
    provider: usage?.provider ?? run.provider,
    model: usage?.model ?? run.model,
    seconds: run.ended_at === null ? null : run.ended_at - run.started_at,
  };
}
