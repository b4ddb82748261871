/**
 * The JSON value of a request's body, of at most 1 MiB; no body is an empty object. The content type is
 * not looked at: who carries the key is no foreign page, and many a client says text/plain unless told.
 *
 * Whoever asked may be gone by now (this process was stopped, the client's time ran out) and was told
 * that nothing came of it. Then nothing does: a request without a client is not carried out.
 */
import { setImmediate } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { AppError } from "#protocol/errors";
import { JSON_LIMIT, readBody } from "#http/request-body";

/** Turns of the event loop after which the end of a connection that had ended before the request was read is known. */
const TURNS = 2;

export interface JsonRequest {
  readonly req: { readonly raw: Request };
  readonly env: HttpBindings;
}

export async function readJsonBody(context: JsonRequest): Promise<unknown> {
  const request = context.req.raw;
  const bytes = await readBody(request, JSON_LIMIT);
  for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
  const { socket } = context.env.incoming;
  if (socket.readableEnded || socket.destroyed) throw new AppError("runner_unavailable", "The client went away.");
  if (bytes.byteLength === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not valid JSON.", {}, cause);
  }
}
