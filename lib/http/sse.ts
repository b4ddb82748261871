/**
 * One event stream as an HTTP answer (contract 2.4). Its source is pulled: a piece is read from the
 * journal when the socket took the one before, so a reader that stopped costs one piece and never
 * slows a run or another reader. The first bytes leave at once, a comment leaves at least every ten
 * seconds, and a reader that takes nothing for a minute is hung up (its socket too: the end of a
 * response waits for a socket that takes no byte). Whatever ends a stream stops its source and gives
 * its place back; nothing here reaches a run.
 *
 * Hundreds of readers at the head get a piece each at every commit: what is done for one piece is a
 * handful of calls, without timers, listeners or generators of its own.
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
const LOOKS_PER_PING = 8;

/** Ready frames, as bytes or as the journal hands them out (one encoded text for all readers). */
export type StreamPiece = Uint8Array | { readonly bytes: Uint8Array };

export interface EventStreamPlan {
  readonly gauge: StreamGauge;
  /** Ends when the client went away. */
  readonly clientSignal: AbortSignal;
  readonly hangUp: () => void;
  readonly timing: StreamTiming;
  /** Leaves with the first bytes. */
  readonly first?: readonly StreamPiece[];
  /** Stops, at the latest at its next piece, when the signal is aborted. */
  readonly open: (signal: AbortSignal) => AsyncIterable<StreamPiece>;
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

function bytesOf(piece: StreamPiece): Uint8Array {
  return piece instanceof Uint8Array ? piece : piece.bytes;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

class EventStream {
  readonly #plan: EventStreamPlan;
  readonly #release: () => void;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  #source: AsyncIterator<StreamPiece> | null = null;
  #clock: NodeJS.Timeout | null = null;
  /** When the reader last took something, or was last given something to take. */
  #lastMove = performance.now();
  /** The reader wants a piece; the source was asked for one. Not both: then the piece is on its way. */
  #wanted: { readonly controller: Controller; readonly resolve: () => void } | null = null;
  #asked = false;
  /** A piece, or the end (null), that came while the reader wanted none: a ping went out in its place. */
  #arrived: StreamPiece | null | undefined;
  #ended = false;

  constructor(plan: EventStreamPlan, closing: AbortSignal, release: () => void) {
    this.#plan = plan;
    this.#release = release;
    this.#signal = AbortSignal.any([plan.clientSignal, closing, this.#ending.signal]);
  }

  readable(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          controller.enqueue(FIRST_BYTES);
          for (const piece of this.#plan.first ?? []) controller.enqueue(bytesOf(piece));
          this.#clock = setInterval(() => this.#look(controller), Math.max(1, this.#plan.timing.pingMs / LOOKS_PER_PING));
          this.#clock.unref();
          this.#signal.addEventListener("abort", () => this.#finish(controller), { once: true });
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end(),
      },
      { highWaterMark: 1 },
    );
  }

  #pull(controller: Controller): Promise<void> | undefined {
    this.#lastMove = performance.now();
    if (this.#arrived !== undefined) {
      const piece = this.#arrived;
      this.#arrived = undefined;
      this.#pass(controller, piece);
      return undefined;
    }
    this.#ask();
    return new Promise((resolve) => {
      this.#wanted = { controller, resolve };
    });
  }

  #ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#source ??= this.#plan.open(this.#signal)[Symbol.asyncIterator]();
    this.#source.next().then(this.#arrive, this.#fail);
  }

  readonly #arrive = (next: IteratorResult<StreamPiece>): void => {
    this.#asked = false;
    const piece = next.done === true ? null : next.value;
    const wanted = this.#takeWanted();
    if (wanted === null) this.#arrived = piece;
    else {
      this.#pass(wanted.controller, piece);
      wanted.resolve();
    }
  };

  readonly #fail = (error: unknown): void => {
    // An end like any other to the client, which comes back with its cursor; the log hears why.
    if (!this.#signal.aborted) this.#plan.onFailure(error);
    this.#arrive({ done: true, value: undefined });
  };

  #pass(controller: Controller, piece: StreamPiece | null): void {
    this.#lastMove = performance.now();
    if (this.#ended) return;
    if (piece === null) this.#finish(controller);
    else controller.enqueue(bytesOf(piece));
  }

  #takeWanted(): { readonly controller: Controller; readonly resolve: () => void } | null {
    const wanted = this.#wanted;
    this.#wanted = null;
    return wanted;
  }

  /** Either the reader waits for us, and hears that we are there; or we wait for the reader, and not for ever. */
  #look(controller: Controller): void {
    const quiet = performance.now() - this.#lastMove;
    if (this.#wanted !== null) {
      if (quiet < this.#plan.timing.pingMs) return;
      const wanted = this.#takeWanted();
      this.#pass(controller, PING);
      wanted?.resolve();
    } else if (quiet >= this.#plan.timing.stallMs) {
      this.#end();
      controller.error(new Error("The reader took no byte for too long."));
      this.#plan.hangUp();
    }
  }

  #finish(controller: Controller): void {
    if (this.#ended) return;
    this.#end();
    controller.close();
    this.#takeWanted()?.resolve();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#clock !== null) clearInterval(this.#clock);
    this.#ending.abort();
    this.#release();
  }
}
