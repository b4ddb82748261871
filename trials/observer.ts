/**
 * A tab that watches: it reads one event stream, comes back with its cursor whenever the stream ends
 * early, and holds what it saw to the promise of contract 2.4. What breaks the promise is kept in
 * words: a gap, a repetition, a reset that nobody asked for, an event after the end.
 */
import { setTimeout as pause } from "node:timers/promises";
import { readEventStream, type StreamFrame } from "#client/event-stream-reader";
import { foldRun, isNext } from "#fold/fold-run";
import { isKnownEvent, parseEvent, type RunEvent } from "#protocol/events";
import type { RunView } from "#protocol/run-view";

export interface ObserverTarget {
  readonly kind: "run" | "session";
  readonly id: string;
}

const AGAIN_MS = 60;

export class Observer {
  readonly broken: string[] = [];
  /** Every event seen, in the order seen; of a session's own log only the number is kept. */
  readonly events: RunEvent[] = [];
  readonly views = new Map<string, RunView>();
  connections = 0;
  cursor: string | null = null;
  private logSeq = 0;
  private isOver = false;
  private readonly stopping = new AbortController();
  private current = new AbortController();
  private readonly onChange = new Set<() => void>();
  readonly over: Promise<void>;

  constructor(
    private readonly url: string,
    readonly target: ObserverTarget,
  ) {
    this.over = this.watch();
  }

  viewOf(runId: string): RunView | null {
    return this.views.get(runId) ?? null;
  }

  /** Calls back after each event; answers how to stop that. */
  listen(callback: () => void): () => void {
    this.onChange.add(callback);
    return () => this.onChange.delete(callback);
  }

  /** Cuts the connection; the observer comes back by itself. */
  cut(): void {
    this.current.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.current.abort();
    await this.over;
  }

  private async watch(): Promise<void> {
    while (!this.stopping.signal.aborted && !this.isOver) {
      this.current = new AbortController();
      this.connections += 1;
      const end = await readEventStream({
        url: this.address(),
        fetch: (input, init) => fetch(input, init),
        signal: this.current.signal,
        onOpen: () => undefined,
        onPiece: (frames) => frames.forEach((frame) => this.take(frame)),
      });
      if (end.kind === "refused" && end.status === 204) {
        if (!this.isOver) this.broken.push(`2.4 ${this.target.id}: 204 before the terminal event`);
        return;
      }
      if (end.kind === "refused" && end.status < 500) {
        this.broken.push(`2.4 ${this.target.id}: the stream was refused with ${end.status}`);
        return;
      }
      if (!this.isOver) await pause(AGAIN_MS);
    }
  }

  private address(): string {
    const path = this.target.kind === "run" ? `/api/chat/stream?stream_id=${this.target.id}` : `/api/sessions/${this.target.id}/stream?`;
    return `${this.url}${path}${this.cursor === null ? "" : `&after_event_id=${this.cursor}`}`;
  }

  private take(frame: StreamFrame): void {
    if (frame.event === "sessions") return;
    const event = frame.event === "reset" ? null : parseEvent(JSON.parse(frame.data));
    if (event === null) return void this.broken.push(`2.4 ${this.target.id}: a ${frame.event} frame after ${this.cursor}: ${frame.data.slice(0, 200)}`);
    if (frame.id !== event.event_id) this.broken.push(`2.4 ${this.target.id}: frame ${frame.id} carries ${event.event_id}`);
    this.cursor = event.event_id;
    if (event.run_id === null) this.takeLog(event.seq);
    else if (isKnownEvent(event) && event.run_id !== null) this.takeRun(event);
    for (const callback of this.onChange) callback();
  }

  private takeLog(seq: number): void {
    if (seq !== this.logSeq + 1) this.broken.push(`J1 ${this.target.id}: its log went from ${this.logSeq} to ${seq}`);
    this.logSeq = seq;
  }

  private takeRun(event: RunEvent): void {
    const view = this.viewOf(event.run_id);
    if (event.seq <= (view?.last_seq ?? 0)) this.broken.push(`C2 ${event.run_id}: ${event.seq} was shown twice`);
    if (!isNext(view, event)) this.broken.push(`C3 ${event.run_id}: ${event.seq} came after ${view?.last_seq ?? 0}`);
    if (view !== null && view.terminal_state !== null) this.broken.push(`J3 ${event.run_id}: ${event.type} came after the end`);
    this.events.push(event);
    this.views.set(event.run_id, foldRun(view, event));
    if (this.target.kind === "run" && event.terminal) this.isOver = true;
  }
}
