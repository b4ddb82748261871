/**
 * The one connection of all tabs, held by the tab that leads (or by a tab alone): carries what the
 * tabs want, hands on everything in order, and closes when nobody needs it (C4). It keeps the cursor
 * of what it handed on, so that a reconnect goes on exactly there.
 */
import type { Browser, Cancel } from "./browser";
import type { Subscription } from "./api";
import { newsOfFrame, type ConnectionNews } from "./connection-news";
import { EventLink } from "./event-link";
import type { StreamFrame } from "./event-stream-reader";
import type { ConnectionState, LinkTiming } from "./link-machine";
import type { TabWant } from "./tab-messages";
import {
  awaitsSession,
  carrying,
  EMPTY_REGISTER,
  lacksSession,
  needsConnection,
  subscriptionsOf,
  withCursor,
  withoutLostTabs,
  withoutSession,
  withoutTab,
  withTab,
  withTabHeard,
  type TabRegister,
} from "./tab-register";

export interface EventLeaderOptions {
  readonly browser: Pick<Browser, "fetch" | "clock" | "random">;
  readonly eventsUrl: (subscriptions: readonly Subscription[]) => string;
  readonly timing: LinkTiming;
  readonly self: string;
  /** Whether other tabs share this connection. */
  readonly shared: boolean;
  /** Where sessions stood that this tab saw handed on by a leader before it. */
  readonly carried: ReadonlyMap<string, string | null>;
  readonly onNews: (news: readonly ConnectionNews[]) => void;
  readonly onState: (state: ConnectionState) => void;
}

/** Wants that come together make one connection. */
const GATHER_MS = 25;
/** The first connection waits so long for a session that is being opened, instead of being made twice. */
const PATIENCE_MS = 400;
/** A glance at another window closes nothing. */
const LINGER_MS = 2_000;
const PRUNE_MS = 15_000;

export class EventLeader {
  readonly #options: EventLeaderOptions;
  readonly #link: EventLink;
  readonly #patientUntil: number;
  #register: TabRegister;
  #cancelGather: Cancel | null = null;
  #cancelLinger: Cancel | null = null;
  #cancelPrune: Cancel;
  #closed = false;

  constructor(options: EventLeaderOptions) {
    this.#options = options;
    this.#register = { ...EMPTY_REGISTER, carried: options.carried };
    const { fetch, clock, random } = options.browser;
    this.#patientUntil = clock.now() + PATIENCE_MS;
    this.#link = new EventLink({
      fetch,
      clock,
      random,
      timing: options.timing,
      address: () => this.#address(),
      onFrames: (frames) => this.#hear(frames),
      onState: options.onState,
    });
    this.#cancelPrune = clock.after(PRUNE_MS, () => this.#prune());
  }

  get state(): ConnectionState {
    return this.#link.state;
  }

  get carries(): readonly string[] {
    return [...this.#register.carried.keys()];
  }

  want(tab: string, want: TabWant): void {
    this.#register = withTab(this.#register, tab, want, this.#now());
    this.#settle();
  }

  heard(tab: string): void {
    this.#register = withTabHeard(this.#register, tab, this.#now());
  }

  forget(tab: string): void {
    this.#register = withoutTab(this.#register, tab);
    this.#settle();
  }

  poke(force: boolean): void {
    this.#link.dispatch({ kind: "poke", force });
  }

  close(): void {
    this.#closed = true;
    this.#cancelGather?.();
    this.#cancelLinger?.();
    this.#cancelPrune();
    this.#link.dispatch({ kind: "want", wanted: false });
  }

  #now(): number {
    return this.#options.browser.clock.now();
  }

  #prune(): void {
    this.#register = withoutLostTabs(this.#register, this.#options.self, this.#now());
    this.#settle();
    this.#cancelPrune = this.#options.browser.clock.after(PRUNE_MS, () => this.#prune());
  }

  #settle(): void {
    const { browser, shared } = this.#options;
    if (needsConnection(this.#register, shared)) {
      this.#cancelLinger?.();
      this.#cancelLinger = null;
      this.#cancelGather ??= browser.clock.after(GATHER_MS, () => this.#connect());
    } else {
      this.#cancelLinger ??= browser.clock.after(LINGER_MS, () => {
        this.#cancelLinger = null;
        if (!needsConnection(this.#register, shared)) this.#link.dispatch({ kind: "want", wanted: false });
      });
    }
  }

  #connect(): void {
    this.#cancelGather = null;
    if (this.#closed) return;
    if (this.#now() < this.#patientUntil && awaitsSession(this.#register)) return this.#settle();
    const lacks = lacksSession(this.#register);
    this.#link.dispatch({ kind: "want", wanted: true });
    if (lacks && lacksSession(this.#register)) this.#link.dispatch({ kind: "resubscribe" });
  }

  #address(): string {
    const subscriptions = subscriptionsOf(this.#register);
    this.#register = carrying(this.#register, subscriptions);
    this.#options.onNews([{ kind: "start", subscriptions }]);
    return this.#options.eventsUrl(subscriptions);
  }

  #hear(frames: readonly StreamFrame[]): void {
    const news: ConnectionNews[] = [];
    for (const frame of frames) {
      const item = newsOfFrame(frame);
      if (item !== null && this.#isCarried(item)) news.push(item);
    }
    if (news.length > 0) this.#options.onNews(news);
  }

  /** Moves the cursor. After a reset the server tells that session from the start; nobody wants that story in pieces. */
  #isCarried(item: ConnectionNews): boolean {
    if (item.kind === "event") {
      const { session_id, event_id } = item.event;
      if (!this.#register.carried.has(session_id)) return false;
      this.#register = withCursor(this.#register, session_id, event_id);
    }
    if (item.kind === "reset" || item.kind === "gone") this.#register = withoutSession(this.#register, item.session_id);
    return true;
  }
}
