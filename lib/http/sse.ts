/**
 * One event stream as an HTTP answer (contract 2.4). Its source is pulled: a chunk is read from the
 * journal when the socket took the one before, so a reader that stopped costs one chunk and never
 * slows a run or another reader. The first bytes leave at once, a comment leaves at least every ten
 * seconds, and a reader that takes nothing for a minute is hung up (its socket too: the end of a
 * response waits for a socket that takes no byte). Whatever ends a stream stops its source and gives
 * its place back; nothing here reaches a run.
 */
import type { StreamGauge } from "./stream-gauge";

export const SSE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

export interface StreamTiming {
  readonly pingMs: number;
  readonly stallMs: number;
}
export const STREAM_TIMING: StreamTiming = { pingMs: 8_000, stallMs: 60_000 };

export interface EventStreamPlan {
  readonly gauge: StreamGauge;
  /** Ends when the client went away. */
  readonly clientSignal: AbortSignal;
  readonly hangUp: () => void;
  readonly timing: StreamTiming;
  /** Ready frames; stops, at the latest at its next piece, when the signal is aborted. */
  readonly open: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** A source that broke; the stream ends, the client comes back with its cursor. */
  readonly onFailure: (error: unknown) => void;
}

/** One frame without an id. */
export function eventFrame(type: string, data: unknown): Uint8Array {
  return encoder.encode(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Throws `too_many_streams` before anything is sent. */
export function eventStreamResponse(plan: EventStreamPlan): Response {
  const place = plan.gauge.enter();
  const stream = new EventStream(plan, place.signal, place.release);
  return new Response(stream.readable(), { status: 200, headers: SSE_HEADERS });
}

const encoder = new TextEncoder();
const FIRST_BYTES = encoder.encode(": ok\n\n");
const PING = encoder.encode(": ping\n\n");

/** What the source said last, until it was passed on. */
type Piece = { readonly kind: "bytes"; readonly bytes: Uint8Array } | { readonly kind: "end" };

class EventStream {
  readonly #plan: EventStreamPlan;
  readonly #release: () => void;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  #chunks: AsyncIterator<Uint8Array> | null = null;
  #reading = false;
  #piece: Piece | null = null;
  #wake: (() => void) | null = null;
  #stall: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(plan: EventStreamPlan, closing: AbortSignal, release: () => void) {
    this.#plan = plan;
    this.#release = release;
    this.#signal = AbortSignal.any([plan.clientSignal, closing, this.#ending.signal]);
    this.#signal.addEventListener("abort", () => this.#wake?.(), { once: true });
  }

  readable(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          controller.enqueue(FIRST_BYTES);
          this.#watchStall(controller);
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end(),
      },
      { highWaterMark: 1 },
    );
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#clearStall();
    const piece = await this.#nextPiece();
    if (this.#ended) return;
    if (piece?.kind === "end" || this.#signal.aborted) {
      this.#end();
      controller.close();
      return;
    }
    controller.enqueue(piece === null ? PING : piece.bytes);
    this.#watchStall(controller);
  }

  /** The source's next piece; null after a while of silence, while the piece stays awaited. */
  async #nextPiece(): Promise<Piece | null> {
    this.#read();
    if (this.#piece === null && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#plan.timing.pingMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    const piece = this.#piece;
    this.#piece = null;
    return piece;
  }

  #read(): void {
    if (this.#reading || this.#piece !== null) return;
    this.#reading = true;
    this.#chunks ??= this.#plan.open(this.#signal)[Symbol.asyncIterator]();
    void this.#chunks.next().then(
      (next) => this.#arrived(next.done === true ? { kind: "end" } : { kind: "bytes", bytes: next.value }),
      (error: unknown) => {
        // An end like any other to the client, which comes back with its cursor; the log hears why.
        if (!this.#signal.aborted) this.#plan.onFailure(error);
        this.#arrived({ kind: "end" });
      },
    );
  }

  #arrived(piece: Piece): void {
    this.#reading = false;
    this.#piece = piece;
    this.#wake?.();
  }

  #watchStall(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#stall = setTimeout(() => {
      this.#end();
      controller.error(new Error("The reader took no byte for too long."));
      this.#plan.hangUp();
    }, this.#plan.timing.stallMs);
    this.#stall.unref();
  }

  #clearStall(): void {
    if (this.#stall !== null) clearTimeout(this.#stall);
    this.#stall = null;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#clearStall();
    this.#ending.abort();
    this.#release();
  }
}
