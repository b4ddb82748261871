/** One way from a control to its outcome over a runner: the answer, the runner's refusal, or why there is no runner. */
import { refused, succeeded } from "#protocol/control";
import type { Outcome } from "#protocol/control";
import type { RunnerFaultReason } from "#protocol/runner-health";
import type { RunnerCall, RunnerClient } from "./runner-client";
import { faultRefusal } from "./runner-fault";

export class RunnerExchange {
  constructor(
    /** Null where no runner is configured. */
    private readonly client: RunnerClient | null,
    /** The runner was heard. */
    private readonly answered: () => void,
  ) {}

  async ask<Answer>(call: RunnerCall<Answer>): Promise<Outcome<Answer>> {
    if (this.client === null) return refusedFor("not_configured");
    const reply = await this.client.call(call);
    if (reply.kind === "failed") return refusedFor(reply.reason);
    this.answered();
    return reply.kind === "answered" ? succeeded(reply.value) : { ok: false, error: reply.error };
  }
}

function refusedFor(reason: RunnerFaultReason): Outcome<never> {
  const { code, message, details } = faultRefusal(reason);
  return refused(code, message, details);
}
