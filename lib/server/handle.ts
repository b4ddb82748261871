/**
 * The one way from a request to an answer: guards, login, input through its schema, the call, the
 * answer, and the one catch of the server. A route file says what it takes and what it does; what it
 * throws as an `AppError` is its answer, anything else is `internal` with a request id, its cause in
 * the log and nothing of it in the answer.
 */
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { AppError } from "#protocol/errors";
import { errorAnswer, finishAnswer, type Answer } from "./answer";
import { asAppError } from "./as-app-error";
import type { Caller } from "./guards";
import { hashBody, type KeptAnswer } from "./idempotency";
import { idempotencyKey } from "#http/idempotency-key";
import { parseInput, queryRecord } from "#http/parse-input";
import type { Peer } from "./peers";
import { serverOfProcess } from "./process-slot";
import { JSON_LIMIT, readForm, readJson, UPLOAD_LIMIT } from "#http/request-body";
import type { Server } from "./server";

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;

export interface RoutePlan<Params, Query, Body> {
  /** The path with names for its parts: what logs and metrics call it. */
  readonly route: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** `form`: the body is multipart, given as `form`, at most 25 MiB. */
  readonly takes?: "json" | "form";
  /** `upload`: a JSON body of at most 25 MiB instead of 1. */
  readonly size?: "upload";
  /** `public`: answered without login (the route looks at `call.known` itself). */
  readonly access?: "public";
  /** False: the answer belongs to this one request (a cookie) and is never repeated for a key. */
  readonly once?: false;
  /** The field of the body that carries the idempotency key where the header does not. */
  readonly keyField?: string;
  /** Makes an id that a repeated request after a crash gets again as `call.reserved`. */
  readonly reserve?: (server: Server) => string;
}

export interface Call<Params, Query, Body> {
  readonly request: Request;
  readonly server: Server;
  readonly params: Parsed<Params>;
  readonly query: Parsed<Query>;
  readonly body: Parsed<Body>;
  /** Set where the route takes a form. */
  readonly form: FormData | null;
  readonly search: URLSearchParams;
  readonly caller: Caller;
  readonly peer: Peer | null;
  /** The request carries a login, or none is needed. */
  readonly known: boolean;
  readonly reserved: string | null;
}

/** As Next calls it; a route without names in its path is called with an empty record. */
export interface RouteContext {
  readonly params: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>;
}
export type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

/** A form's own lines come on top of its file's bytes. */
const FORM_LINES = 64 * 1024;

export function handle<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(plan: RoutePlan<Params, Query, Body>, action: (call: Call<Params, Query, Body>) => Promise<Answer>): RouteHandler {
  return async (request, context) => {
    const requestId = randomUUID();
    const began = performance.now();
    const server = await serverOfProcess();
    let answer: Answer;
    try {
      answer = await answerCall(plan, action, request, context, server);
    } catch (error) {
      answer = errorAnswer(toAppError(error, plan.route, requestId, server));
    }
    const response = finishAnswer(answer, requestId);
    sayLength(server, request, response);
    const seconds = (performance.now() - began) / 1000;
    server.metrics.count({ method: request.method, route: plan.route, status: response.status, seconds });
    server.logger.debug({ request_id: requestId, method: request.method, route: plan.route, status: response.status, seconds }, "answered");
    return response;
  };
}

function sayLength(server: Server, request: Request, response: Response): void {
  const [length, peer] = [response.headers.get("content-length"), server.peers.peerOf(request.headers)];
  if (length !== null && peer !== null) server.peers.announceLength(peer, length);
}

async function answerCall<
  Params extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
>(
  plan: RoutePlan<Params, Query, Body>,
  action: (call: Call<Params, Query, Body>) => Promise<Answer>,
  request: Request,
  context: RouteContext,
  server: Server,
): Promise<Answer> {
  const changes = request.method !== "GET" && request.method !== "HEAD";
  const peer = server.peers.peerOf(request.headers);
  server.guards.checkHost(request.headers);
  server.guards.checkPeer(peer);
  if (changes) server.guards.checkOrigin(request.headers);
  const known = await server.auth.isAllowed(request.headers);
  if (!known && plan.access !== "public") throw new AppError("unauthorized", "Log in first.");

  const search = new URL(request.url).searchParams;
  const params = parsed<Params>(plan.params, await context.params);
  const query = parsed<Query>(plan.query, queryRecord(search));
  const form = plan.takes === "form" ? await readForm(request, UPLOAD_LIMIT + FORM_LINES) : null;
  const value = changes && form === null ? await readJson(request, plan.size === "upload" ? UPLOAD_LIMIT : JSON_LIMIT) : {};
  const body = parsed<Body>(plan.body, value);
  const call = { request, server, params, query, body, form, search, caller: server.guards.caller(peer, request.headers), peer, known };
  const key = changes && plan.once !== false ? idempotencyKey(request.headers, value, plan.keyField) : null;
  if (key === null) return action({ ...call, reserved: null });

  const route = `${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}`;
  const bodyHash = hashBody(form === null ? value : await describeForm(form), plan.keyField ?? null);
  const reserve = plan.reserve === undefined ? null : () => plan.reserve?.(server) ?? "";
  const kept = await server.answers.once({ route, key, bodyHash, reserve }, async (reserved) => keep(await action({ ...call, reserved })));
  return new Response(kept.body, { status: kept.status, headers: { "content-type": "application/json; charset=utf-8" } });
}

function parsed<Schema extends z.ZodType | undefined>(schema: Schema | undefined, value: unknown): Parsed<Schema>;
function parsed(schema: z.ZodType | undefined, value: unknown): unknown {
  return schema === undefined ? undefined : parseInput(schema, value);
}

async function keep(answer: Answer): Promise<KeptAnswer> {
  if (answer instanceof Response) return { status: answer.status, body: await answer.text() };
  return { status: answer.status, body: JSON.stringify(answer.json) };
}

async function describeForm(form: FormData): Promise<unknown> {
  const fields = [...form].map(async ([name, value]) => {
    if (typeof value === "string") return [name, value];
    const digest = await crypto.subtle.digest("SHA-256", await value.arrayBuffer());
    return [name, value.name, value.type, Buffer.from(digest).toString("hex")];
  });
  return Promise.all(fields);
}

function toAppError(error: unknown, route: string, requestId: string, server: Server): AppError {
  const known = asAppError(error);
  if (known !== null && known.code !== "internal") {
    if (known.cause !== undefined) server.logger.info({ request_id: requestId, route, code: known.code, err: known.cause }, "refused");
    return known;
  }
  server.logger.error({ request_id: requestId, route, err: error }, "failed");
  server.recentErrors.add({ at: Date.now() / 1000, request_id: requestId, route, name: error instanceof Error ? error.name : "unknown" });
  const message = known?.message ?? "Something went wrong on the server. The log has it under this request's id.";
  return new AppError("internal", message);
}
