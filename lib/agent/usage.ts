/**
 * Token counts of a run over its steps. A model reports each request's own totals; the run's total
 * is their sum, and what no step reported stays null: an unknown number is never shown as 0.
 */
import type { Usage } from "#protocol/event-values";
import type { ModelUsage } from "./model/model-port";

export interface UsageFacts {
  readonly provider: string;
  readonly model: string;
  readonly duration_ms: number;
  readonly context_window: number | null;
}

/** The run's usage after one more model request. `previous` null before the first. */
export function addUsage(previous: Usage | null, step: ModelUsage, facts: UsageFacts): Usage {
  return {
    input_tokens: sum(previous?.input_tokens, step.input_tokens),
    output_tokens: sum(previous?.output_tokens, step.output_tokens),
    reasoning_tokens: sum(previous?.reasoning_tokens, step.reasoning_tokens),
    cache_read_tokens: sum(previous?.cache_read_tokens, step.cache_read_tokens),
    cache_write_tokens: sum(previous?.cache_write_tokens, step.cache_write_tokens),
    cost_usd: null,
    provider: facts.provider,
    model: facts.model,
    duration_ms: facts.duration_ms,
    context_tokens: contextTokens(step) ?? previous?.context_tokens ?? null,
    context_window: facts.context_window,
  };
}

/** What the next request will at least hold: this request's input and output. */
function contextTokens(step: ModelUsage): number | null {
  if (step.input_tokens === null) return null;
  return step.input_tokens + (step.output_tokens ?? 0);
}

function sum(left: number | null | undefined, right: number | null): number | null {
  if (left === null || left === undefined) return right;
  return right === null ? left : left + right;
}
