/**
 * Turns for the model server, from whole answers down to single bytes. A reply is a status, headers
 * and steps played in order; after the last step the body ends cleanly (see `cut`, `reset`, `hold`).
 */
export type ReplyStep =
  /** One write to the socket. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array | string }
  | { readonly kind: "pause"; readonly ms: number }
  /** Goes on when the test says so. */
  | { readonly kind: "until"; readonly promise: Promise<unknown> }
  /** The socket stays open until the client leaves or the server closes. */
  | { readonly kind: "hold" }
  /** The connection closes in mid-body (FIN without the end of the body). */
  | { readonly kind: "cut" }
  /** TCP reset. Bytes that the client has not read may be lost: pause first. */
  | { readonly kind: "reset" };

export interface Reply {
  /** Null: no head is sent before the steps (to hold, cut or reset before any byte). */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: readonly ReplyStep[];
}

export interface ReplyUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface ReplyCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

export const DONE_FRAME = "data: [DONE]\n\n";

/** Any steps with status 200; `headers` may change the content type. */
export function rawReply(steps: readonly ReplyStep[], headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 200, headers, steps };
}

/** An answer in words, one frame per word, `pauseMs` between them, then usage and `[DONE]`. */
export function textReply(text: string, settings: { readonly pauseMs?: number; readonly usage?: ReplyUsage; readonly finish?: string } = {}): Reply {
  const words = text.match(/\s*\S+/g) ?? [];
  const pause: readonly ReplyStep[] = settings.pauseMs === undefined ? [] : [{ kind: "pause", ms: settings.pauseMs }];
  return rawReply([
    ...words.flatMap((word): readonly ReplyStep[] => [frame(deltaChunk({ content: word })), ...pause]),
    frame(deltaChunk({}, settings.finish ?? "stop")),
    ...usageSteps(settings.usage),
    { kind: "bytes", bytes: DONE_FRAME },
  ]);
}

/** Tool calls of one step, after optional words. */
export function callReply(calls: readonly ReplyCall[], text = ""): Reply {
  const deltas = calls.map((call, index) =>
    frame(
      deltaChunk({
        tool_calls: [{ index, id: call.id ?? `provider_${index}`, type: "function", function: { name: call.name, arguments: JSON.stringify(call.arguments) } }],
      }),
    ),
  );
  const words = text === "" ? [] : [frame(deltaChunk({ content: text }))];
  return rawReply([...words, ...deltas, frame(deltaChunk({}, "tool_calls")), ...usageSteps(undefined), { kind: "bytes", bytes: DONE_FRAME }]);
}

/** An HTTP failure with `{error}` as body (a string is sent as it is). */
export function errorReply(status: number, error: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = typeof error === "string" ? error : JSON.stringify({ error });
  return { status, headers: { "content-type": "application/json", ...headers }, steps: [{ kind: "bytes", bytes: body }] };
}

/** Takes the request and never answers. */
export function silentReply(): Reply {
  return { status: null, headers: {}, steps: [{ kind: "hold" }] };
}

/** One SSE frame as one write. */
export function frame(value: unknown): ReplyStep {
  return { kind: "bytes", bytes: `data: ${JSON.stringify(value)}\n\n` };
}

/** The chunk of a chat completion with this delta. */
export function deltaChunk(delta: Readonly<Record<string, unknown>>, finish: string | null = null): Readonly<Record<string, unknown>> {
  return { id: "cmpl-test", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] };
}

function usageSteps(usage: ReplyUsage | undefined): readonly ReplyStep[] {
  const counted = usage ?? { prompt_tokens: 10, completion_tokens: 5 };
  return [frame({ id: "cmpl-test", object: "chat.completion.chunk", choices: [], usage: counted })];
}
