/** One safe sentence for each reason why a runner cannot be used. Nothing of what the other side sent is in them. */
import type { Refusal } from "#protocol/control";
import type { RunnerFaultReason } from "#protocol/runner-health";

/** Faults of one call; the others are found by looking at the runner's health. */
export type CallFault = Extract<RunnerFaultReason, "missing" | "not_answering" | "starting" | "wrong_key" | "redirected" | "garbage">;

const SENTENCES: Readonly<Record<RunnerFaultReason, string>> = {
  not_configured: "No runner is configured: set HERMES_WEBUI_RUNNER_BASE_URL, or use npm start.",
  missing: "The runner is not there: nothing listens at its address.",
  crashed: "The runner died. It is started again by whoever supervises it.",
  not_answering: "The runner did not answer in time.",
  starting: "The runner is starting.",
  draining: "The runner is shutting down.",
  unhealthy: "The runner runs, and its database does not answer.",
  wrong_key: "The runner refuses this server's key.",
  wrong_version: "The runner is of another version than this server.",
  redirected: "The runner's address answers with a redirect, which is never followed.",
  garbage: "What answers at the runner's address is no runner.",
};

export function faultSentence(reason: RunnerFaultReason): string {
  return SENTENCES[reason];
}

/** 503, or 501 where no runner is configured; never a run anywhere else. */
export function faultRefusal(reason: RunnerFaultReason): Refusal {
  if (reason === "not_configured") return { code: "runner_not_configured", message: SENTENCES[reason] };
  return { code: "runner_unavailable", message: SENTENCES[reason], details: { reason, retryable: true } };
}
