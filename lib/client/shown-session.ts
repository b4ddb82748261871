/**
 * One session while it is shown: opened by GET session, carried on by events from its cursor. Events
 * that come while it is being opened wait for the view and are folded into it then (C2 takes care of
 * overlap). A gap, a reset or doubt opens it anew (C3); one opening at a time, the next not before a
 * pause that grows while it does not help.
 */
import type { AnyEvent } from "#protocol/events";
import { firstGap, foldSessionAll, holdsEvent } from "#fold/fold-session";
import { activeRun } from "#fold/session-selectors";
import { openSessionView } from "#fold/session-view";
import type { ApiFailure, ApiResult } from "./api-result";
import { isPassing } from "./api-result";
import type { Cancel, Clock } from "./browser";
import { reopening, viewOf, withView, type SessionEntry } from "./session-entry";
import type { WantedSession } from "./tab-messages";
import type { OpenedSession } from "#protocol/session-shapes";

export interface ShownSessionOptions {
  readonly sessionId: string;
  readonly clock: Clock;
  readonly open: (signal: AbortSignal) => Promise<ApiResult<OpenedSession>>;
  readonly entry: () => SessionEntry | undefined;
  readonly setEntry: (entry: SessionEntry) => void;
  /** Readiness or cursor matters to the connection. */
  readonly onWantChanged: () => void;
}

const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 5_000;

export class ShownSession {
  readonly #options: ShownSessionOptions;
  #waiting: AnyEvent[] = [];
  #opening: AbortController | null = null;
  #cancelPause: Cancel | null = null;
  #openings = 0;
  #ready = false;
  /** Where the connection started to carry this session while it was being opened; null when it did not, or from the beginning. */
  #startedFrom: string | null = null;

  constructor(options: ShownSessionOptions) {
    this.#options = options;
    this.reopen();
  }

  /** What the connection needs to know. */
  get wanted(): WantedSession {
    const cursor = viewOf(this.#options.entry())?.cursor ?? null;
    return { session_id: this.#options.sessionId, cursor, ready: this.#ready };
  }

  get busy(): boolean {
    const view = viewOf(this.#options.entry());
    return view !== null && activeRun(view) !== null;
  }

  take(event: AnyEvent): void {
    this.#waiting.push(event);
  }

  /** Folds what waits, as one step. */
  fold(): void {
    const view = viewOf(this.#options.entry());
    if (!this.#ready || view === null || this.#waiting.length === 0) return;
    const gap = firstGap(view, this.#waiting);
    const next = foldSessionAll(view, gap === -1 ? this.#waiting : this.#waiting.slice(0, gap));
    if (next.deleted) return this.gone();
    if (next !== view) this.#options.setEntry(withView(this.#options.entry(), next));
    if (gap === -1 && next.missing_runs.length === 0) {
      this.#waiting = [];
      this.#openings = 0;
      return;
    }
    this.#waiting = gap === -1 ? [] : this.#waiting.slice(gap);
    this.reopen();
  }

  /** The connection starts from this cursor: a view that does not hold it has missed something. */
  startedFrom(cursor: string | null): void {
    this.#startedFrom = cursor;
    this.fold();
    this.#checkStart();
  }

  /** Opens it (anew). What was shown stays on the screen meanwhile. */
  reopen(): void {
    this.#ready = false;
    // What the server is asked from now on is younger than any start so far.
    this.#startedFrom = null;
    this.#options.onWantChanged();
    if (this.#cancelPause !== null) return;
    // An answer that is under way may be older than the reason to ask.
    this.#opening?.abort();
    const pause = this.#openings === 0 ? 0 : Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#openings - 1));
    this.#openings += 1;
    this.#options.setEntry(reopening(this.#options.entry()));
    if (pause === 0) void this.#open();
    else this.#cancelPause = this.#options.clock.after(pause, () => void this.#open());
  }

  /** The server says that there is no such session (any more). */
  gone(): void {
    this.stop();
    this.#options.setEntry({ status: "gone" });
    this.#options.onWantChanged();
  }

  /** The connection works again: no need to wait for the end of the pause. */
  hurry(): void {
    if (this.#cancelPause === null) return;
    this.#cancelPause();
    void this.#open();
  }

  stop(): void {
    this.#ready = false;
    this.#waiting = [];
    this.#cancelPause?.();
    this.#cancelPause = null;
    this.#opening?.abort();
    this.#opening = null;
  }

  async #open(): Promise<void> {
    const opening = new AbortController();
    this.#cancelPause = null;
    this.#opening = opening;
    const answer = await this.#options.open(opening.signal);
    if (opening.signal.aborted) return;
    this.#opening = null;
    if (!answer.ok) return this.#failed(answer);
    const view = openSessionView(answer.value, viewOf(this.#options.entry()));
    this.#options.setEntry(withView(this.#options.entry(), view));
    this.#ready = true;
    this.#options.onWantChanged();
    if (this.#waiting.length === 0) this.#openings = 0;
    // What came meanwhile shows now whether it fits: a gap, or a start that this answer is too old for, opens it once more.
    this.fold();
    this.#checkStart();
  }

  #checkStart(): void {
    const view = viewOf(this.#options.entry());
    if (this.#ready && view !== null && !holdsEvent(view, this.#startedFrom)) this.reopen();
  }

  #failed(failure: ApiFailure): void {
    if (failure.status === 404) return this.gone();
    this.#options.setEntry({ status: "failed", view: viewOf(this.#options.entry()), failure });
    if (isPassing(failure)) this.#retryLater();
  }

  #retryLater(): void {
    const pause = Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#openings, 10));
    this.#openings += 1;
    this.#cancelPause = this.#options.clock.after(pause, () => void this.#open());
  }
}
