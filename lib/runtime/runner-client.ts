/**
 * The client of a runner: a call with the shape of its answer in, one of three things out: the answer,
 * the runner's own refusal, or why there is none. It never throws for what the other side does, and
 * holds nothing between two calls.
 */
import { z } from "zod";
import { HTTP_STATUS_BY_CODE, type ErrorCode } from "#protocol/errors";
import type { Refusal } from "#protocol/control";
import type { CallFault } from "./runner-fault";
import { createRunnerHttp, type RunnerHttp, type RunnerHttpCall, type RunnerHttpReply } from "./runner-http";
import { listenToDoorbell, type DoorbellEars } from "./runner-doorbell-stream";

export interface RunnerCall<Answer> {
  readonly method: RunnerHttpCall["method"];
  readonly path: string;
  readonly body?: unknown;
  readonly answer: z.ZodType<Answer>;
  /** Default 4.5 s: a control's caller is answered within 5. */
  readonly timeout_ms?: number;
}

export type RunnerReply<Answer> =
  | { readonly kind: "answered"; readonly value: Answer }
  | { readonly kind: "refused"; readonly error: Refusal }
  | { readonly kind: "failed"; readonly reason: CallFault };

export interface RunnerClient {
  /** This program's version, which the runner should have too. */
  readonly version: string;
  call<Answer>(call: RunnerCall<Answer>): Promise<RunnerReply<Answer>>;
  /** Listens to the runner's commits; resolves when the connection is over, however it ended. */
  listen(ears: DoorbellEars, signal: AbortSignal): Promise<void>;
}

const CONTROL_TIMEOUT_MS = 4_500;
/** An item of the queue may hold a message of 1 MB. */
const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;

const refusalSchema = z.object({
  error: z.looseObject({ code: z.string().max(100), message: z.string().max(2_000) }),
});

export function createRunnerClient(settings: { readonly base_url: string; readonly api_key: string; readonly version: string }): RunnerClient {
  return new HttpRunnerClient(createRunnerHttp(settings.base_url, settings.api_key), settings.version);
}

class HttpRunnerClient implements RunnerClient {
  constructor(
    private readonly http: RunnerHttp,
    readonly version: string,
  ) {}

  async call<Answer>(call: RunnerCall<Answer>): Promise<RunnerReply<Answer>> {
    const { method, path, body } = call;
    const bounds = { timeout_ms: call.timeout_ms ?? CONTROL_TIMEOUT_MS, limit_bytes: ANSWER_LIMIT_BYTES };
    return understand(call.answer, await this.http.call({ method, path, ...bounds, ...(body === undefined ? {} : { body }) }));
  }

  listen(ears: DoorbellEars, signal: AbortSignal): Promise<void> {
    return listenToDoorbell(this.http, ears, signal);
  }
}

function understand<Answer>(schema: z.ZodType<Answer>, reply: RunnerHttpReply): RunnerReply<Answer> {
  if (reply.kind === "unanswered") return { kind: "failed", reason: FAULTS[reply.why] };
  if (reply.status >= 300 && reply.status < 400) return { kind: "failed", reason: "redirected" };
  const value = parseJson(reply.text);
  if (reply.status >= 200 && reply.status < 300) {
    const answer = schema.safeParse(value);
    return answer.success ? { kind: "answered", value: answer.data } : { kind: "failed", reason: "garbage" };
  }
  const refusal = refusalSchema.safeParse(value);
  return refusal.success ? refused(refusal.data.error) : { kind: "failed", reason: "garbage" };
}

const FAULTS: Readonly<Record<Extract<RunnerHttpReply, { kind: "unanswered" }>["why"], CallFault>> = {
  unreachable: "missing",
  timeout: "not_answering",
  cut: "not_answering",
  too_large: "garbage",
};

function refused(error: Readonly<Record<string, unknown>> & { readonly code: string; readonly message: string }): RunnerReply<never> {
  const { code, message, ...details } = error;
  if (code === "unauthorized") return { kind: "failed", reason: "wrong_key" };
  if (code === "runner_unavailable") return { kind: "failed", reason: details["reason"] === "starting" ? "starting" : "not_answering" };
  if (!isErrorCode(code)) return { kind: "failed", reason: "garbage" };
  return { kind: "refused", error: { code, message, ...(Object.keys(details).length === 0 ? {} : { details }) } };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(HTTP_STATUS_BY_CODE, code);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON at all: no schema takes this.
    return undefined;
  }
}
