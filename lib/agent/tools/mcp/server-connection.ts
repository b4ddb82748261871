/**
 * One MCP server of one profile, from the first run that wants it until nobody has for a while.
 *
 * M1 A server never fails a run. One that does not start, hangs or dies has no tools, or its call is
 * a tool error; who waits for it waits at most `wait_ms`, while it may go on starting for the next
 * run. After a failed start it is left in peace for `retry_ms`. What is told of a failure holds none
 * of the values that the server was given, which may be keys.
 */
import type { McpServer } from "#profiles/mcp-servers";
import type { ToolContext, ToolOutcome } from "../tool-port";
import { reasonOf } from "./failure-reason";
import type { ServerPlace } from "./open-client";
import type { ServerAnswer, ServerClient } from "./server-client";
import type { ServerToolEntry } from "./server-tools";

export interface ConnectionTiming {
  /** How long a run waits for a server that starts, at most. */
  readonly wait_ms: number;
  /** How long a server may take to start. */
  readonly start_ms: number;
  readonly retry_ms: number;
  readonly idle_ms: number;
  readonly call_ms: number;
}

export const CONNECTION_TIMING: ConnectionTiming = { wait_ms: 10_000, start_ms: 60_000, retry_ms: 60_000, idle_ms: 10 * 60_000, call_ms: 120_000 };

export interface ConnectionState {
  /** `idle`: nobody asked for it yet, or lately. */
  readonly status: "idle" | "starting" | "ready" | "failed";
  readonly tools: readonly ServerToolEntry[];
  /** A sentence where something is wrong with it. */
  readonly reason: string | null;
}

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "starting"; readonly done: Promise<void>; readonly stop: AbortController }
  | { readonly kind: "ready"; readonly client: ServerClient }
  | { readonly kind: "failed"; readonly reason: string; readonly again_at: number }
  | { readonly kind: "closed" };

const REASON_CHARACTERS = 300;
const MIN_SECRET_LENGTH = 4;

export class ServerConnection {
  private state: State = { kind: "idle" };
  private calls = 0;
  private idle: NodeJS.Timeout | undefined;
  private readonly closings = new Set<Promise<void>>();

  constructor(
    readonly server: McpServer,
    /** Where it is, for the run that starts it. */
    private readonly placeFor: (runId: string) => ServerPlace,
    private readonly timing: ConnectionTiming,
  ) {}

  view(): ConnectionState {
    const { state } = this;
    switch (state.kind) {
      case "idle":
      case "closed":
        return { status: "idle", tools: [], reason: null };
      case "starting":
        return { status: "starting", tools: [], reason: "It is still starting." };
      case "failed":
        return { status: "failed", tools: [], reason: state.reason };
      case "ready": {
        const { tools, left_out } = state.client.tools;
        return { status: "ready", tools, reason: left_out === 0 ? null : `${left_out} of its tools cannot be used.` };
      }
    }
  }

  /** Starts it if need be; resolves when it is there or is not, after `wait_ms`, or when aborted. */
  async open(runId: string, signal: AbortSignal): Promise<void> {
    this.touch();
    const { state } = this;
    const isDue = state.kind === "idle" || (state.kind === "failed" && performance.now() >= state.again_at);
    if (isDue) this.state = this.start(runId);
    if (this.state.kind === "starting") await settledWithin(this.state.done, this.timing.wait_ms, signal);
    if (this.state.kind === "ready") await settledWithin(this.state.client.refresh(), this.timing.wait_ms, signal);
  }

  /** `tool`: the server's own name of it. */
  async call(tool: string, input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome> {
    this.calls += 1;
    try {
      await this.open(context.mark.run_id, context.signal);
      const { state } = this;
      if (context.signal.aborted) return { status: "cancelled", result: "[stopped]" };
      if (state.kind !== "ready") return this.unavailable();
      const answer = await state.client.call({
        tool,
        input,
        timeout_ms: this.callLimit(),
        signal: context.signal,
        progress: (text) => context.update({ progress: `${text}\n` }),
      });
      if (answer.kind === "broken") this.drop(state.client, answer.message);
      return this.outcomeOf(answer);
    } finally {
      this.calls -= 1;
      this.touch();
    }
  }

  /** For good. Never rejects. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { state } = this;
    this.state = { kind: "closed" };
    if (state.kind === "starting") {
      state.stop.abort();
      await state.done;
    }
    if (state.kind === "ready") this.end(state.client);
    await Promise.all([...this.closings]);
  }

  private start(runId: string): State {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), this.timing.start_ms);
    const done = this.connect(runId, stop.signal).finally(() => clearTimeout(timer));
    return { kind: "starting", done, stop };
  }

  private async connect(runId: string, signal: AbortSignal): Promise<void> {
    try {
      const { openClient } = await import("./open-client");
      const client = await openClient(this.placeFor(runId), signal);
      if (this.state.kind === "closed") return await client.close();
      this.state = { kind: "ready", client };
      void client.over.then((reason) => this.drop(client, reason));
      this.touch();
    } catch (error) {
      if (this.state.kind === "closed") return;
      const reason = signal.aborted ? `It did not start within ${Math.round(this.timing.start_ms / 1000)} s.` : this.tell(reasonOf(error));
      this.state = { kind: "failed", reason, again_at: performance.now() + this.timing.retry_ms };
    }
  }

  /** A connection that is over; the next one who needs it starts it anew. */
  private drop(client: ServerClient, reason: string): void {
    if (this.state.kind !== "ready" || this.state.client !== client) return;
    this.state = { kind: "failed", reason: this.tell(reason === "" ? "The connection ended." : reason), again_at: 0 };
    this.end(client);
  }

  private end(client: ServerClient): void {
    const closing = client.close().finally(() => this.closings.delete(closing));
    this.closings.add(closing);
  }

  private touch(): void {
    clearTimeout(this.idle);
    if (this.state.kind === "closed") return;
    this.idle = setTimeout(() => {
      if (this.calls > 0 || this.state.kind !== "ready") return;
      const { client } = this.state;
      this.state = { kind: "idle" };
      this.end(client);
    }, this.timing.idle_ms);
    this.idle.unref();
  }

  private callLimit(): number {
    const { timeout_s } = this.server;
    return timeout_s === null ? this.timing.call_ms : timeout_s * 1000;
  }

  private outcomeOf(answer: ServerAnswer): ToolOutcome {
    const { name } = this.server;
    switch (answer.kind) {
      case "outcome":
        return answer.outcome;
      case "aborted":
        return { status: "cancelled", result: "[stopped]" };
      case "refused":
        return { status: "error", result: `The MCP server ${name} refused: ${answer.message}` };
      case "timeout":
        return { status: "error", result: `The MCP server ${name} did not answer within ${Math.round(this.callLimit() / 1000)} s. It may still be at work on it.` };
      case "broken":
        return { status: "error", result: `The MCP server ${name} was lost in the middle of the call, which may have had an effect. ${this.tell(answer.message)}`.trim() };
    }
  }

  private unavailable(): ToolOutcome {
    return { status: "error", result: `The MCP server ${this.server.name} is not there. ${this.view().reason ?? "Its settings changed; it is there again with the next turn."}` };
  }

  /** One bounded line without the server's own values. */
  private tell(message: string): string {
    const { server } = this;
    const values = Object.values(server.transport === "stdio" ? server.env : server.headers).flatMap((value) => [value, ...value.split(" ")]);
    const hidden = values.filter((value) => value.length >= MIN_SECRET_LENGTH).toSorted((first, second) => second.length - first.length);
    const line = hidden.reduce((text, value) => text.replaceAll(value, "[redacted]"), message.replace(/\s+/g, " ").trim());
    return line.slice(0, REASON_CHARACTERS);
  }
}

/** Resolves with the work, after the time, or when aborted; `work` never rejects. */
async function settledWithin(work: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  await Promise.race([work, over]);
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
}
