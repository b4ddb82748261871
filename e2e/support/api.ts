/**
 * The product's HTTP interface as an outside client sees it: paths, bodies and codes of the contract,
 * answers parsed for what the tests ask of them. Used to set a scene and to ask what the journal holds.
 */
import { z } from "zod";
import { parseEvent, type AnyEvent } from "#protocol/events";
import { until } from "#testing/until";

const bodySchema = z.record(z.string(), z.unknown());
const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  tool_call_id: z.string().nullish(),
  approval_id: z.string().optional(),
  clarify_id: z.string().optional(),
  title: z.string().optional(),
  status: z.string().optional(),
  stdout: z.string().optional(),
  result: z.string().nullish(),
  answers: z.record(z.string(), z.unknown()).nullish(),
});
const runSchema = z.looseObject({
  run_id: z.string(),
  source: z.string(),
  status: z.string(),
  terminal_state: z.string().nullable(),
  message: z.looseObject({ text: z.string(), attachments: z.array(z.looseObject({ name: z.string() })) }).nullable(),
  parts: z.array(partSchema),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  last_seq: z.number(),
});
const openedSchema = z.looseObject({
  session: z.looseObject({ session_id: z.string(), title: z.string(), profile: z.string(), project_id: z.string().nullable(), provider: z.string().nullable(), model: z.string().nullable() }),
  runs: z.array(runSchema),
  cursor: z.string().nullable(),
  active_run_id: z.string().nullable(),
  queue: z.array(z.looseObject({ queue_id: z.string(), text: z.string() })),
  goal: z.looseObject({ goal: z.string(), status: z.string(), turns_used: z.number() }).nullable(),
});
const statusSchema = z.looseObject({
  status: z.string(),
  last_seq: z.number(),
  terminal_state: z.string().nullable(),
  pending_approval_id: z.string().nullable(),
  pending_clarify_id: z.string().nullable(),
});

export type Part = z.infer<typeof partSchema>;
export type Run = z.infer<typeof runSchema>;
export type Opened = z.infer<typeof openedSchema>;

export interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const REQUEST_MS = 30_000;
const ENDS_MS = 45_000;

export class Api {
  constructor(
    readonly origin: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async call(method: string, path: string, body?: unknown): Promise<Told> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      // A kept connection may be closed by the other side in the moment in which it is used again.
      headers: { ...this.headers, connection: "close", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      signal: AbortSignal.timeout(REQUEST_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : bodySchema.parse(JSON.parse(text)) };
  }

  /** The body of an answer that has to be a success. */
  async ask(method: string, path: string, body?: unknown): Promise<Told["body"]> {
    const told = await this.call(method, path, body);
    if (told.status >= 300) throw new Error(`${method} ${path} was answered with ${told.status}: ${JSON.stringify(told.body)}`);
    return told.body;
  }

  async makeSession(settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { session } = z.object({ session: z.looseObject({ session_id: z.string() }) }).parse(await this.ask("POST", "/api/sessions", settings));
    return session.session_id;
  }

  /** Starts a run and answers its id. */
  async start(sessionId: string, message: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const started = await this.ask("POST", "/api/chat/start", { session_id: sessionId, message, ...more });
    return z.string().parse(started["stream_id"]);
  }

  /** Starts a run and answers its id when it is over. */
  async run(sessionId: string, message: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const runId = await this.start(sessionId, message, more);
    await this.ends(runId);
    return runId;
  }

  async statusOf(runId: string): Promise<z.infer<typeof statusSchema>> {
    return statusSchema.parse(await this.ask("GET", `/api/chat/stream/status?stream_id=${runId}`));
  }

  async reaches(runId: string, status: string): Promise<void> {
    await until(async () => (await this.statusOf(runId)).status === status, ENDS_MS);
  }

  /** Waits for the end of a run and answers how it ended. */
  async ends(runId: string): Promise<string> {
    let state: string | null = null;
    await until(async () => (state = (await this.statusOf(runId)).terminal_state) !== null, ENDS_MS);
    return state ?? "";
  }

  async open(sessionId: string): Promise<Opened> {
    return openedSchema.parse(await this.ask("GET", `/api/sessions/${sessionId}`));
  }

  async runOf(sessionId: string, runId: string): Promise<Run> {
    const run = (await this.open(sessionId)).runs.find((candidate) => candidate.run_id === runId);
    if (run === undefined) throw new Error(`${sessionId} shows no ${runId}.`);
    return run;
  }

  /** The newest run of a session, once there is one. */
  async newestRun(sessionId: string): Promise<Run> {
    let run: Run | undefined;
    await until(async () => (run = (await this.open(sessionId)).runs.at(-1)) !== undefined, ENDS_MS);
    if (run === undefined) throw new Error(`${sessionId} has no run.`);
    return run;
  }

  /** All events of a run, read from its stream up to the server's close. */
  async events(runId: string, afterSeq = 0, signal: AbortSignal = AbortSignal.timeout(ENDS_MS)): Promise<readonly AnyEvent[]> {
    const response = await fetch(`${this.origin}/api/chat/stream?stream_id=${runId}&after_seq=${afterSeq}`, { headers: this.headers, signal });
    const text = await response.text();
    return text.split("\n").flatMap((line) => {
      const event = line.startsWith("data: ") ? parseEvent(JSON.parse(line.slice(6))) : null;
      return event === null ? [] : [event];
    });
  }

  async cancelAll(): Promise<void> {
    const listSchema = z.object({ sessions: z.array(z.looseObject({ active_stream_id: z.string().nullable() })) });
    const { sessions } = listSchema.parse(await this.ask("GET", "/api/sessions?limit=200"));
    const active = sessions.flatMap((session) => session.active_stream_id ?? []);
    for (const runId of active) await this.call("POST", "/api/chat/cancel", { stream_id: runId });
    for (const runId of active) await this.ends(runId);
  }
}

/** The words that a run's answer shows, its segments joined as they stand. */
export function answerOf(run: Run): string {
  return run.parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("");
}
