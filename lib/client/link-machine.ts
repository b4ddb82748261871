/**
 * One event connection as a pure machine: when it opens, when it is believed dead, when it is tried
 * again, and what the banner says meanwhile. Time and chance come in as arguments.
 *
 * - Every wait is bounded: an opening by `opening_ms`, silence by `silence_ms` (the server sends a
 *   byte at least every 10 s), a retry by `retry_most_ms`, after `long_ms` of absence by `retry_late_ms`.
 * - The back-off starts anew only after a connection that lasted `stable_ms`, so that one that opens
 *   and breaks at once is not tried in a tight loop.
 * - `connection` rises with each attempt; whoever drives the machine opens one when it rose.
 */
export interface LinkTiming {
  readonly quiet_ms: number;
  readonly opening_ms: number;
  readonly silence_ms: number;
  /** When poked: a connection that was silent so long is not trusted. */
  readonly doubt_ms: number;
  readonly stable_ms: number;
  readonly retry_first_ms: number;
  readonly retry_most_ms: number;
  readonly long_ms: number;
  readonly retry_late_ms: number;
  /** So long without an event after a reconnect, and the page has caught up. */
  readonly caught_up_ms: number;
}

export const LINK_TIMING: LinkTiming = {
  quiet_ms: 2_000,
  opening_ms: 5_000,
  silence_ms: 30_000,
  doubt_ms: 12_000,
  stable_ms: 5_000,
  retry_first_ms: 500,
  retry_most_ms: 4_000,
  long_ms: 5 * 60_000,
  retry_late_ms: 15_000,
  caught_up_ms: 300,
};

interface Attempt {
  /** Failed attempts in a row. */
  readonly failures: number;
  /** When the last good connection was lost, or when one was first wanted. */
  readonly down_since: number;
}

export type LinkState = { readonly connection: number } & (
  | { readonly kind: "off" }
  | ({ readonly kind: "opening"; readonly since: number } & Attempt)
  | {
      readonly kind: "open";
      readonly failures: number;
      readonly opened_at: number;
      readonly heard_at: number;
      /** Events since a reconnect that a person could notice, until they stop coming; else null. */
      readonly catching_up: { readonly count: number; readonly last_at: number } | null;
    }
  | ({ readonly kind: "waiting"; readonly retry_at: number } & Attempt)
  /** The server asks for a login; nothing is tried until somebody pokes. */
  | { readonly kind: "refused" }
);

export type LinkInput =
  | { readonly kind: "want"; readonly wanted: boolean }
  /** The subscriptions changed: the connection is made anew with the new ones. */
  | { readonly kind: "resubscribe" }
  | { readonly kind: "opened" }
  | { readonly kind: "heard"; readonly events: number }
  | { readonly kind: "closed"; readonly retry_after_ms: number | null }
  | { readonly kind: "unauthorized" }
  /** Somebody has reason to believe that it works now; `force` does not trust an open connection either. */
  | { readonly kind: "poke"; readonly force: boolean }
  | { readonly kind: "tick" };

/** What the banner shows. Times are of the machine's clock. */
export type ConnectionState =
  | { readonly kind: "idle" }
  | { readonly kind: "live" }
  /** `quiet`: for so short a time that nothing is said. */
  | { readonly kind: "connecting"; readonly quiet: boolean }
  | { readonly kind: "lost"; readonly retry_at: number }
  | { readonly kind: "catching_up"; readonly count: number }
  | { readonly kind: "unauthorized" };

export const LINK_OFF: LinkState = { kind: "off", connection: 0 };

export interface LinkMoment {
  readonly now: number;
  /** 0 to 1. */
  readonly chance: number;
  readonly timing: LinkTiming;
}

export function reduceLink(state: LinkState, input: LinkInput, moment: LinkMoment): LinkState {
  switch (input.kind) {
    case "want":
      if (!input.wanted) return state.kind === "off" ? state : { kind: "off", connection: state.connection };
      return state.kind === "off" ? open(state, { failures: 0, down_since: moment.now }, moment) : state;
    case "resubscribe":
      return state.kind === "opening" || state.kind === "open" ? open(state, attemptOf(state, moment), moment) : state;
    case "opened":
      return state.kind === "opening" ? opened(state, moment) : state;
    case "heard":
      return state.kind === "open" ? heard(state, input.events, moment) : state;
    case "closed":
      return state.kind === "opening" || state.kind === "open" ? wait(state, input.retry_after_ms, moment) : state;
    case "unauthorized":
      return state.kind === "opening" ? { kind: "refused", connection: state.connection } : state;
    case "poke":
      return poke(state, input.force, moment);
    case "tick":
      return tick(state, moment);
  }
}

function open(state: LinkState, attempt: Attempt, { now }: LinkMoment): LinkState {
  return { kind: "opening", connection: state.connection + 1, since: now, failures: attempt.failures, down_since: attempt.down_since };
}

function attemptOf(state: LinkState, { now, timing }: LinkMoment): Attempt {
  if (state.kind === "opening" || state.kind === "waiting") return { failures: state.failures, down_since: state.down_since };
  if (state.kind !== "open") return { failures: 0, down_since: now };
  return { failures: now - state.opened_at >= timing.stable_ms ? 0 : state.failures, down_since: now };
}

function opened(state: Extract<LinkState, { kind: "opening" }>, { now, timing }: LinkMoment): LinkState {
  const noticed = now - state.down_since >= timing.quiet_ms;
  const { connection, failures } = state;
  return { kind: "open", connection, failures, opened_at: now, heard_at: now, catching_up: noticed ? { count: 0, last_at: now } : null };
}

function heard(state: Extract<LinkState, { kind: "open" }>, events: number, { now }: LinkMoment): LinkState {
  const before = state.catching_up;
  const catching_up = before !== null && events > 0 ? { count: before.count + events, last_at: now } : before;
  return { ...state, heard_at: now, catching_up };
}

function wait(state: LinkState, retryAfter: number | null, moment: LinkMoment): LinkState {
  const { now, timing } = moment;
  const { failures, down_since } = attemptOf(state, moment);
  const most = now - down_since > timing.long_ms ? timing.retry_late_ms : timing.retry_most_ms;
  const backoff = Math.min(most, timing.retry_first_ms * 2 ** Math.min(failures, 10)) * (0.5 + 0.5 * moment.chance);
  const delay = Math.max(backoff, Math.min(retryAfter ?? 0, timing.retry_late_ms));
  return { kind: "waiting", connection: state.connection, failures: failures + 1, down_since, retry_at: now + delay };
}

function poke(state: LinkState, force: boolean, moment: LinkMoment): LinkState {
  const { now, timing } = moment;
  if (state.kind === "waiting" || state.kind === "refused") return open(state, attemptOf(state, moment), moment);
  const doubtful = state.kind === "open" && (force || now - state.heard_at > timing.doubt_ms);
  const stuck = state.kind === "opening" && force && now - state.since > timing.retry_first_ms;
  return doubtful || stuck ? open(state, attemptOf(state, moment), moment) : state;
}

function tick(state: LinkState, moment: LinkMoment): LinkState {
  const { now, timing } = moment;
  if (state.kind === "opening" && now >= state.since + timing.opening_ms) return wait(state, null, moment);
  if (state.kind === "waiting" && now >= state.retry_at) return open(state, attemptOf(state, moment), moment);
  if (state.kind !== "open") return state;
  if (now >= state.heard_at + timing.silence_ms) return open(state, { ...attemptOf(state, moment), down_since: state.heard_at }, moment);
  const caughtUp = state.catching_up !== null && now >= state.catching_up.last_at + timing.caught_up_ms;
  return caughtUp ? { ...state, catching_up: null } : state;
}

/** When the machine (or its banner) changes by time alone, or null. */
export function wakeAt(state: LinkState, { now, timing }: LinkMoment): number | null {
  if (state.kind === "off" || state.kind === "refused") return null;
  if (state.kind === "open") {
    const dead = state.heard_at + timing.silence_ms;
    return state.catching_up === null ? dead : Math.min(dead, state.catching_up.last_at + timing.caught_up_ms);
  }
  const next = state.kind === "opening" ? state.since + timing.opening_ms : state.retry_at;
  const loud = state.down_since + timing.quiet_ms;
  return loud > now ? Math.min(next, loud) : next;
}

export function connectionStateOf(state: LinkState, { now, timing }: LinkMoment): ConnectionState {
  switch (state.kind) {
    case "off":
      return { kind: "idle" };
    case "refused":
      return { kind: "unauthorized" };
    case "open":
      return state.catching_up === null ? { kind: "live" } : { kind: "catching_up", count: state.catching_up.count };
    case "opening":
    case "waiting":
      if (now < state.down_since + timing.quiet_ms) return { kind: "connecting", quiet: true };
      return state.kind === "waiting" ? { kind: "lost", retry_at: state.retry_at } : { kind: "connecting", quiet: false };
  }
}
