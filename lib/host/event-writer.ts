/**
 * The one writer of a run's events, from bodies to numbered, redacted, lawful envelopes.
 *
 * J1 numbers rise by one; a number is given when the next event closes the one before, so deltas of
 * one segment that meet in a commit become one event first. J3 nothing follows the terminal event:
 * what the lifecycle table refuses is dropped, and `emit` says so. J6 every text passes the redactor;
 * text that may be the start of a secret is held back for at most 250 ms. C1 `view()` is the fold of
 * all that was emitted, including what is not yet durable: it serves the owner's own decisions,
 * while observers only ever read the journal.
 */
import type { RunEvent, RunEventBody } from "#protocol/events";
import { eventId } from "#protocol/cursor";
import { lifecycleMoveOf } from "#protocol/lifecycle-move";
import { LIFECYCLE } from "#protocol/status";
import type { RunView } from "#protocol/run-view";
import { foldRun } from "#fold/fold-run";
import { streamKey, textOf, withText } from "#fold/delta-text";
import { joinBodies } from "#fold/join-deltas";
import type { AppendSource, RunAppend } from "#journal/journal";
import type { Redactor, StreamRedactor } from "#journal/redact";
import { redactBody } from "#journal/redact-body";
import { numbered, sizeOf } from "./event-body";

const HOLD_LIMIT_MS = 250;
/** Above this much text that is not yet durable, whoever produces it waits. */
const PENDING_LIMIT_CHARACTERS = 1_000_000;

export interface EventWriterInput {
  readonly run_id: string;
  readonly session_id: string;
  /** Null for a run that begins; its first event must be `run.started`. */
  readonly view: RunView | null;
  readonly redactor: Redactor;
  /** Unix seconds. */
  readonly now: () => number;
  /** Puts the writer on the next commit; resolves when what it holds is durable. */
  readonly enqueue: (source: AppendSource) => Promise<void>;
  /** The journal gave up on this run's events: the run cannot go on here. */
  readonly failed: (cause: unknown) => void;
}

interface HeldText {
  readonly stream: StreamRedactor;
  readonly restore: (text: string) => RunEventBody;
}

export class EventWriter implements AppendSource {
  private folded: RunView | null;
  private lastSeq: number;
  private tail: RunEventBody | null = null;
  private closed: RunEvent[] = [];
  private pendingCharacters = 0;
  private commit: Promise<boolean> = Promise.resolve(true);
  private scheduled = false;
  private broken = false;
  private readonly held = new Map<string, HeldText>();
  private holdTimer: NodeJS.Timeout | null = null;

  constructor(private readonly input: EventWriterInput) {
    this.folded = input.view;
    this.lastSeq = input.view?.last_seq ?? 0;
  }

  /** The fold of everything emitted so far. */
  view(): RunView {
    this.closeTail();
    if (this.folded === null) throw new Error("A run has no view before run.started.");
    return this.folded;
  }

  /** Appends in this order, in one commit. False when the lifecycle refused one: then nothing of it is kept. */
  emit(...bodies: readonly RunEventBody[]): boolean {
    if (this.broken) return false;
    let accepted = true;
    for (const body of bodies) accepted = this.accept(body) && accepted;
    this.schedule();
    return accepted;
  }

  /** Resolves true when everything emitted so far is durable, false when the run was given up (see `failed`). */
  committed(): Promise<boolean> {
    return this.broken ? Promise.resolve(false) : this.commit;
  }

  /** Resolves at once while little is pending, else with the next commit. */
  async drained(): Promise<void> {
    if (this.pendingCharacters > PENDING_LIMIT_CHARACTERS) await this.commit;
  }

  take(): RunAppend | null {
    this.scheduled = false;
    this.closeTail();
    if (this.closed.length === 0 || this.folded === null) return null;
    const events = this.closed;
    this.closed = [];
    this.pendingCharacters = 0;
    return { events, view: this.folded };
  }

  /** No timer is left behind; what is held back is let go with the terminal event. */
  stop(): void {
    if (this.holdTimer !== null) clearTimeout(this.holdTimer);
    this.holdTimer = null;
  }

  private accept(body: RunEventBody): boolean {
    if (!this.lawful(body)) return false;
    const key = streamKey(body);
    if (key !== null) {
      this.pushDelta(key, body);
      return true;
    }
    for (const ended of this.endedStreams(body)) this.endStream(ended);
    this.append(redactBody(this.input.redactor, body));
    return true;
  }

  private lawful(body: RunEventBody): boolean {
    const status = this.folded?.status ?? null;
    if (status === null) return body.type === "run.started";
    if (body.type === "run.started") return false;
    return LIFECYCLE[status][lifecycleMoveOf(body)] !== "refused";
  }

  private append(body: RunEventBody): void {
    const joined = this.tail === null ? null : joinBodies(this.tail, body);
    this.pendingCharacters += sizeOf(body);
    if (joined !== null) {
      this.tail = joined;
      return;
    }
    this.closeTail();
    if (streamKey(body) !== null) {
      this.tail = body;
      return;
    }
    this.number(body);
  }

  private closeTail(): void {
    if (this.tail === null) return;
    const body = this.tail;
    this.tail = null;
    this.number(body);
  }

  private number(body: RunEventBody): void {
    const { run_id, session_id } = this.input;
    const seq = this.lastSeq + 1;
    this.lastSeq = seq;
    const event = numbered({ event_id: eventId(run_id, seq), seq, run_id, session_id, created_at: this.input.now() }, body, seq);
    this.closed.push(event);
    this.folded = foldRun(this.folded, event);
    if (event.terminal) this.stop();
  }

  private schedule(): void {
    if (this.scheduled || (this.closed.length === 0 && this.tail === null)) return;
    this.scheduled = true;
    this.commit = this.input.enqueue(this).then(
      () => true,
      (cause: unknown) => {
        this.broken = true;
        this.stop();
        this.input.failed(cause);
        return false;
      },
    );
  }

  private pushDelta(key: string, body: RunEventBody): void {
    const stream = this.held.get(key)?.stream ?? this.input.redactor.stream();
    // The newest body restores the text: same segment, same keys.
    this.held.set(key, { stream, restore: (text) => withText(body, text) });
    const text = stream.push(textOf(body));
    if (text !== "") this.append(withText(body, text));
    if (stream.holds && this.holdTimer === null) {
      this.holdTimer = setTimeout(() => this.releaseHeld(), HOLD_LIMIT_MS);
      this.holdTimer.unref();
    }
  }

  private releaseHeld(): void {
    this.holdTimer = null;
    // The streams stay: the rest of a secret whose start had to leave is still known as such.
    for (const held of this.held.values()) this.release(held, held.stream.flush());
    this.schedule();
  }

  private endStream(key: string): void {
    const held = this.held.get(key);
    if (held === undefined) return;
    this.held.delete(key);
    this.release(held, held.stream.end());
  }

  private release(held: HeldText, text: string): void {
    if (text !== "") this.append(held.restore(text));
  }

  /** Streams that this event ends: its own call's output, or all text before a step or an end. */
  private endedStreams(body: RunEventBody): readonly string[] {
    const keys = [...this.held.keys()];
    switch (body.type) {
      case "tool.done":
        return keys.filter((key) => key.endsWith(body.payload.tool_call_id));
      case "reasoning.done":
        return keys.filter((key) => key.endsWith(body.payload.segment_id));
      case "tool.requested":
      case "done":
      case "error":
      case "cancelled":
        return keys;
      default:
        return [];
    }
  }
}
