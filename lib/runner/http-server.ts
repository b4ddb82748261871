/**
 * The runner's socket. It is bound before the runner takes anything over, so that a taken port ends
 * the start early; until the routes are there every request is told so. Slow senders are bounded by
 * the server itself: 10 s for the headers, 30 s for the whole request.
 */
import { createServer, type Server } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { z } from "zod";
import { AppError } from "#protocol/errors";
import { systemErrorCode } from "#config/system-error";
import type { ListenPlace } from "./listen-place";
import { refusalAnswer } from "./runner-answer";

export type Fetch = (request: Request, bindings: HttpBindings) => Response | Promise<Response>;

export interface RunnerServer {
  /** The place's address, with the port that was really taken. */
  readonly url: string;
  /** From now on these routes answer. */
  use(fetch: Fetch): void;
  /** Nothing new is let in; what is open gets `graceMs`, then its connections are cut. */
  close(graceMs: number): Promise<void>;
}

const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 32 * 1024 } as const;

/** Throws an `AppError` with one line for the person when the place cannot be had. */
export async function listen(place: ListenPlace): Promise<RunnerServer> {
  let answer: Fetch = () => refusalAnswer(new AppError("runner_unavailable", "The runner is starting.", { reason: "starting" }));
  const listener = getRequestListener((request, bindings) => answer(request, httpBindings(bindings)), { overrideGlobalObjects: false });
  const server = createServer(LIMITS, (incoming, outgoing) => void listener(incoming, outgoing));
  await bind(server, place);
  const { port } = addressSchema.parse(server.address());
  return {
    url: place.port === 0 ? place.url.replace(/:0(?=\/|$)/, `:${port}`) : place.url,
    use: (fetch) => {
      answer = fetch;
    },
    close: (graceMs) => closeServer(server, graceMs),
  };
}

const addressSchema = z.object({ port: z.number() });
const bindingsSchema = z.custom<HttpBindings>((value) => typeof value === "object" && value !== null && "incoming" in value);

function httpBindings(bindings: unknown): HttpBindings {
  return bindingsSchema.parse(bindings);
}

function bind(server: Server, { host, port }: ListenPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (cause: unknown): void => reject(new AppError("conflict", whyNot(systemErrorCode(cause), host, port), {}, cause));
    server.once("error", refused);
    server.listen({ host, port }, () => {
      server.off("error", refused);
      resolve();
    });
  });
}

/** The system's own word stays in the line: whoever started the runner tells causes apart by it. */
function whyNot(code: string | null, host: string, port: number): string {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} of ${host} is taken by another program`,
    EACCES: `this user may not listen on port ${port}`,
    EADDRNOTAVAIL: `${host} is no address of this machine`,
    ENOTFOUND: `${host} is no name of this machine`,
  };
  return `The runner cannot listen: ${reasons[code ?? ""] ?? "the system refused"} (${code ?? "unknown"}). HERMES_WEBUI_RUNNER_BASE_URL names another place.`;
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
