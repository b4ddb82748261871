/** Drives `link-machine` with real streams and timers. One connection at most: the old one is given up before the next is opened. */
import type { Cancel, Clock } from "./browser";
import { readEventStream, type StreamFrame } from "./event-stream-reader";
import type { Fetch } from "./http-client";
import { connectionStateOf, LINK_OFF, reduceLink, wakeAt, type ConnectionState, type LinkInput, type LinkMoment, type LinkState, type LinkTiming } from "./link-machine";

export interface EventLinkOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timing: LinkTiming;
  /** The address to open now; asked at each attempt, right before it. */
  readonly address: () => string;
  readonly onFrames: (frames: readonly StreamFrame[]) => void;
  readonly onState: (state: ConnectionState) => void;
}

const UNAUTHORIZED = 401;

export class EventLink {
  readonly #options: EventLinkOptions;
  #state: LinkState = LINK_OFF;
  #shown: ConnectionState = { kind: "idle" };
  #running: AbortController | null = null;
  #cancelTimer: Cancel | null = null;

  constructor(options: EventLinkOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#shown;
  }

  dispatch(input: LinkInput): void {
    const before = this.#state;
    this.#state = reduceLink(before, input, this.#moment());
    if (this.#state.connection !== before.connection || !this.#isConnecting()) this.#running?.abort();
    if (this.#state.connection !== before.connection) this.#open();
    this.#schedule();
    this.#show();
  }

  #isConnecting(): boolean {
    return this.#state.kind === "opening" || this.#state.kind === "open";
  }

  #moment(): LinkMoment {
    const { clock, random, timing } = this.#options;
    return { now: clock.now(), chance: random(), timing };
  }

  #open(): void {
    const attempt = new AbortController();
    this.#running = attempt;
    const current = (input: LinkInput) => {
      if (!attempt.signal.aborted) this.dispatch(input);
    };
    const { fetch, address, onFrames } = this.#options;
    const stream = readEventStream({
      url: address(),
      fetch,
      signal: attempt.signal,
      onOpen: () => current({ kind: "opened" }),
      onPiece: (frames) => {
        if (attempt.signal.aborted) return;
        current({ kind: "heard", events: frames.length });
        if (frames.length > 0) onFrames(frames);
      },
    });
    void stream.then((end) => {
      if (end.kind === "refused" && end.status === UNAUTHORIZED) current({ kind: "unauthorized" });
      else current({ kind: "closed", retry_after_ms: end.kind === "refused" ? end.retry_after_ms : null });
    });
  }

  #schedule(): void {
    this.#cancelTimer?.();
    const moment = this.#moment();
    const at = wakeAt(this.#state, moment);
    this.#cancelTimer = at === null ? null : this.#options.clock.after(Math.max(0, at - moment.now), () => this.dispatch({ kind: "tick" }));
  }

  #show(): void {
    const next = connectionStateOf(this.#state, this.#moment());
    if (JSON.stringify(next) === JSON.stringify(this.#shown)) return;
    this.#shown = next;
    this.#options.onState(next);
  }
}
