/**
 * The agent loop: a function of the journal. It folds the run (`context.view()`), decides the next
 * step, does it, emits, and repeats. It may be started on a run that another process began: what a
 * step needs is in the view, save the unredacted arguments of open calls (`context.originals`), and
 * a call whose originals are gone ends the run as interrupted instead of running something else.
 *
 * Never throws for what can be expected; the host turns a throw into `internal`.
 */
import type { RunView } from "#protocol/run-view";
import { toModelMessages } from "#fold/model-messages";
import { decide } from "./decide";
import { runModelStep } from "./model-step";
import type { StepOutcome } from "./model-step";
import { requestCalls } from "./request-calls";
import { answerCall, runCall } from "./run-call";
import { compressHistory } from "./compress";
import type { ModelTool } from "./model/model-port";
import type { ResolvedModel, RunContext, RunOutcome } from "./run-context";

export interface LoopInput {
  readonly context: RunContext;
  readonly model: ResolvedModel;
  readonly system_prompt: string;
  readonly model_tools: readonly ModelTool[];
}

export async function runLoop(input: LoopInput): Promise<RunOutcome> {
  const { context } = input;
  while (!context.signal.aborted) {
    const decision = decide(context.view(), context.limits);
    switch (decision.kind) {
      case "end":
        return { kind: "completed", finish: decision.finish };
      case "wait":
        await context.prompt_settled();
        break;
      case "answer_call":
        answerCall(context, decision.call, decision.clarify);
        break;
      case "run_call": {
        const lost = await runCall(context, decision.call, decision.approval);
        if (lost !== null) return { kind: "interrupted", message: lost };
        break;
      }
      case "call_model": {
        const outcome = await callModel(input);
        if (outcome !== null) return outcome;
        break;
      }
    }
  }
  return { kind: "cancelled" };
}

/** Null when the run goes on with the calls that the model asked for. */
async function callModel(input: LoopInput): Promise<RunOutcome | null> {
  const { context } = input;
  applySteers(context);
  const step = await requestOnce(input, context.history);
  if (step.kind !== "failed" || step.code !== "context_overflow" || step.shown) return conclude(context, step);
  const compressed = await compressHistory({ context, model: input.model, focus: null });
  if (compressed.kind === "cancelled") return { kind: "cancelled" };
  if (compressed.kind === "failed") return exhausted(step);
  const second = await requestOnce(input, context.history);
  if (second.kind === "failed" && second.code === "context_overflow") return exhausted(second);
  return conclude(context, second);
}

async function requestOnce(input: LoopInput, history: readonly RunView[]): Promise<StepOutcome> {
  const { context } = input;
  return runModelStep(context, input.model, {
    model: context.request.model,
    messages: toModelMessages([...history, context.view()], { system: input.system_prompt, images: input.model.images }),
    tools: input.model_tools,
    reasoning: context.request.reasoning,
    max_output_tokens: null,
  });
}

async function conclude(context: RunContext, step: StepOutcome): Promise<RunOutcome | null> {
  switch (step.kind) {
    case "calls":
      await requestCalls(context, step);
      return null;
    case "answer":
      return { kind: "completed", finish: step.finish };
    case "cancelled":
      return { kind: "cancelled" };
    case "failed":
      return { kind: "failed", code: step.code, message: step.message, diagnostics: step.diagnostics, retryable: step.retryable };
  }
}

function exhausted(step: Extract<StepOutcome, { kind: "failed" }>): RunOutcome {
  return {
    kind: "failed",
    code: "context_overflow",
    message: "The conversation is too long for this model. Sum it up, or choose a larger one.",
    diagnostics: { ...step.diagnostics, terminal_state: "compression_exhausted" },
    retryable: false,
    terminal_state: "compression_exhausted",
  };
}

/** A steer counts as applied from the request on that holds it, so it is marked right before. */
function applySteers(context: RunContext): void {
  for (const part of context.view().parts) {
    if (part.type === "steer" && !part.applied) {
      context.emit({ type: "steer.applied", payload: { queue_id: part.queue_id, text: part.text } });
    }
  }
}
