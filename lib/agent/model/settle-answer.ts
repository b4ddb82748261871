/**
 * How an answer ends: from what was seen to its last parts, the same for every provider. A call is
 * handed on only when it is certainly whole: a call cut by the output limit or the connection, or
 * with a lost frame in its middle, ends the answer as a failure, and no call of it is run.
 */
import type { ModelPart, ModelUsage } from "./model-port";
import { failureOfTransport, providerFailure, type FailurePart } from "./provider-failure";
import { parseArguments } from "./tool-arguments";
import type { DraftCall } from "./tool-call-buffer";
import type { TransportError } from "./transport-error";

export type FinishReason = "stop" | "length" | "filtered" | "error";

export interface AnswerFacts {
  /** `finished`: the provider said why. `done`: it only said that it is done. `cut`: it said neither. */
  readonly ending:
    | { readonly kind: "finished"; readonly reason: FinishReason }
    | { readonly kind: "done" }
    | { readonly kind: "cut"; readonly error: TransportError | null };
  readonly calls: readonly DraftCall[];
  readonly usage: ModelUsage | null;
  /** Text or reasoning was handed on. */
  readonly shown: boolean;
  /** Frames that made sense (or were cut by the end), and those that did not. */
  readonly readable: number;
  readonly unreadable: number;
  /** A frame made no sense after calls had begun. */
  readonly calls_damaged: boolean;
}

/** The parts that end the answer: usage, then calls and `finish`, or a `failure`. */
export function settleAnswer(facts: AnswerFacts, secrets: readonly string[]): readonly ModelPart[] {
  const usage: readonly ModelPart[] = facts.usage === null ? [] : [{ type: "usage", usage: facts.usage }];
  const failure = failureOf(facts, secrets);
  if (failure !== null) return [...usage, failure];
  const calls = facts.calls.map((call): ModelPart => ({ type: "tool-call", ...call, arguments: parseArguments(call.raw) }));
  const reason = calls.length > 0 ? "tool_calls" : isLimited(facts) ? "length" : "stop";
  return [...usage, ...calls, { type: "finish", reason }];
}

function isLimited(facts: AnswerFacts): boolean {
  return facts.ending.kind === "finished" && facts.ending.reason === "length";
}

function failureOf(facts: AnswerFacts, secrets: readonly string[]): FailurePart | null {
  const { ending } = facts;
  if (ending.kind === "cut") return failureOfCut(facts, ending.error, secrets);
  if (ending.kind === "finished" && ending.reason === "filtered") return providerFailure({ code: "content_filtered" }, secrets);
  if (ending.kind === "finished" && ending.reason === "error") return providerFailure({ code: "provider_overloaded" }, secrets);
  if (facts.calls.length > 0) return failureOfCalls(facts, secrets);
  if (facts.shown || isLimited(facts)) return null;
  return providerFailure({ code: facts.unreadable > 0 ? "provider_malformed" : "provider_empty" }, secrets);
}

function failureOfCut(facts: AnswerFacts, error: TransportError | null, secrets: readonly string[]): FailurePart {
  if (error !== null) return failureOfTransport(error, secrets);
  if (facts.readable > 0 || facts.shown) return providerFailure({ code: "provider_incomplete" }, secrets);
  return providerFailure({ code: facts.unreadable > 0 ? "provider_malformed" : "provider_empty" }, secrets);
}

function failureOfCalls(facts: AnswerFacts, secrets: readonly string[]): FailurePart | null {
  if (facts.calls_damaged || facts.calls.some((call) => call.name === "")) {
    return providerFailure({ code: "provider_malformed", words: "A tool call in it is damaged and was not run." }, secrets);
  }
  const limited = isLimited(facts);
  const unsaid = facts.ending.kind === "done";
  const cut = facts.calls.find((call) => (parseArguments(call.raw) === null && (limited || unsaid)) || (limited && call.raw.trim() === ""));
  if (cut === undefined) return null;
  const why = limited ? "The output limit was reached inside" : "The answer ended inside";
  return providerFailure({ code: "provider_incomplete", words: `${why} a call of ${cut.name}, which was not run.` }, secrets);
}
