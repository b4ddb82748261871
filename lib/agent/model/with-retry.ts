/**
 * Sends a request again while nothing of its answer was shown (contract section 6): at most
 * `MOST_REQUESTS` in all, only failures that say they are retryable, after the wait that the provider
 * asks for or a growing one of ours, never longer than ten seconds. A `retry` part announces each
 * wait: its `attempt` is the number of the request that will be sent (2, then 3). An abort ends a
 * wait at once. Each request may bring one `usage` part; they add up.
 */
import { guardStream } from "./guard-stream";
import type { ModelPart, ModelPort, ModelRequest } from "./model-port";
import { pause } from "./pause";
import { LONGEST_RETRY_WAIT_S, type FailurePart } from "./provider-failure";

export interface RetryClock {
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const SYSTEM_RETRY_CLOCK: RetryClock = { sleep: pause };

const MOST_REQUESTS = 3;
const FIRST_WAIT_MS = 500;
const GROWTH = 3;

export function withRetry(port: ModelPort, clock: RetryClock = SYSTEM_RETRY_CLOCK): ModelPort {
  return {
    provider: port.provider,
    stream: (request, signal) => guardStream(signal, (inner) => produce(port, clock, request, inner)),
  };
}

async function* produce(port: ModelPort, clock: RetryClock, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
  for (let sent = 1; sent <= MOST_REQUESTS; sent += 1) {
    let failure: FailurePart | null = null;
    let shown = false;
    for await (const part of port.stream(request, signal)) {
      shown = shown || part.type === "text" || part.type === "reasoning" || part.type === "tool-call";
      if (part.type === "failure") failure = part;
      else yield part;
    }
    if (failure === null) return;
    const wait = waitBeforeNext(failure, sent);
    if (shown || wait === null) {
      yield failure;
      return;
    }
    yield { type: "retry", attempt: sent + 1, wait_ms: wait, code: failure.code };
    await clock.sleep(wait, signal);
  }
}

/** Milliseconds to wait before the request after `sent` ones, or null when there is none. */
function waitBeforeNext(failure: FailurePart, sent: number): number | null {
  if (!failure.retryable || failure.aborted || sent >= MOST_REQUESTS) return null;
  const asked = failure.retry_after_s;
  if (asked !== null && asked > LONGEST_RETRY_WAIT_S) return null;
  return Math.max(Math.ceil((asked ?? 0) * 1_000), FIRST_WAIT_MS * GROWTH ** (sent - 1));
}
