/**
 * The sessions that this tab shows, by id, as views (C1: made by the fold and nothing else). Events
 * are gathered and folded once per animation frame. A session is followed while somebody shows it,
 * and a moment longer, so that a remount or a quick way back opens nothing anew (B011); what was
 * shown before stays as a picture for the way back, a few sessions of it.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { withOlderRuns } from "#fold/session-view";
import type { SessionApi } from "./session-api";
import type { Browser, Cancel } from "./browser";
import type { ConnectionNews } from "./connection-news";
import { OPENING, viewOf, type SessionEntry } from "./session-entry";
import { ShownSession } from "./shown-session";
import type { TabWant } from "./tab-messages";

export interface SessionsState {
  readonly entries: Readonly<Record<string, SessionEntry>>;
}

export interface SessionStoreOptions {
  readonly browser: Pick<Browser, "clock" | "onNextFrame">;
  readonly api: Pick<SessionApi, "open">;
  /** What the event connection should carry changed. */
  readonly onWantChanged: () => void;
}

interface Followed {
  readonly session: ShownSession;
  shownBy: number;
  cancelLinger: Cancel | null;
}

const LINGER_MS = 3_000;
const REMEMBERED = 6;
const PAGE_RUNS = 20;

export class SessionStore {
  readonly store: StoreApi<SessionsState> = createStore<SessionsState>(() => ({ entries: {} }));
  readonly #options: SessionStoreOptions;
  readonly #followed = new Map<string, Followed>();
  #cancelFrame: Cancel | null = null;
  #wasBusy = false;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
  }

  /** Follows the session until the answer is called. */
  show(sessionId: string): Cancel {
    const followed = this.#followed.get(sessionId) ?? this.#follow(sessionId);
    followed.shownBy += 1;
    followed.cancelLinger?.();
    followed.cancelLinger = null;
    let shown = true;
    return () => {
      if (!shown) return;
      shown = false;
      followed.shownBy -= 1;
      if (followed.shownBy > 0) return;
      followed.cancelLinger = this.#options.browser.clock.after(LINGER_MS, () => this.#unfollow(sessionId));
    };
  }

  /** Opens a shown session anew, e.g. when an answer said that what is shown is out of date. */
  refresh(sessionId: string): void {
    this.#followed.get(sessionId)?.session.reopen();
  }

  /** Loads the page of runs before the oldest loaded one; `runs`: 1 to 200 of them. */
  async loadOlder(sessionId: string, runs = PAGE_RUNS): Promise<void> {
    const entry = this.#entry(sessionId);
    const first = viewOf(entry)?.runs[0];
    if (entry?.status !== "open" || entry.older === "loading" || !entry.view.has_more || first === undefined) return;
    this.#setEntry(sessionId, { ...entry, older: "loading" });
    const page = await this.#options.api.open(sessionId, { runs, before: first.run_id });
    const now = this.#entry(sessionId);
    if (now?.status !== "open") return;
    const view = page.ok ? withOlderRuns(now.view, page.value.runs, page.value.has_more) : now.view;
    this.#setEntry(sessionId, { status: "open", view, older: page.ok ? "idle" : "failed" });
  }

  onNews(news: readonly ConnectionNews[]): void {
    for (const item of news) this.#take(item);
  }

  /** What this tab wants of the event connection. */
  want(): Omit<TabWant, "visible"> {
    const sessions = [...this.#followed].filter(([id]) => this.#entry(id)?.status !== "gone").map(([, { session }]) => session.wanted);
    return { sessions, busy: this.#isBusy() };
  }

  /** The server answers again. */
  hurry(): void {
    for (const { session } of this.#followed.values()) session.hurry();
  }

  close(): void {
    this.#cancelFrame?.();
    for (const { session, cancelLinger } of this.#followed.values()) {
      cancelLinger?.();
      session.stop();
    }
    this.#followed.clear();
  }

  #follow(sessionId: string): Followed {
    this.#setEntry(sessionId, { status: "opening", view: viewOf(this.#entry(sessionId)) });
    const session = new ShownSession({
      sessionId,
      clock: this.#options.browser.clock,
      open: (signal) => this.#options.api.open(sessionId, { runs: PAGE_RUNS }, signal),
      entry: () => this.#entry(sessionId),
      setEntry: (entry) => this.#setEntry(sessionId, entry),
      onWantChanged: () => this.#options.onWantChanged(),
    });
    const followed: Followed = { session, shownBy: 0, cancelLinger: null };
    this.#followed.set(sessionId, followed);
    this.#options.onWantChanged();
    return followed;
  }

  #unfollow(sessionId: string): void {
    const followed = this.#followed.get(sessionId);
    if (followed === undefined || followed.shownBy > 0) return;
    followed.session.stop();
    this.#followed.delete(sessionId);
    this.#forgetOldest(sessionId);
    this.#options.onWantChanged();
  }

  /** Keeps the pictures of the sessions left last. */
  #forgetOldest(justLeft: string): void {
    const { entries } = this.store.getState();
    const { [justLeft]: left = OPENING, ...others } = entries;
    const unshown = Object.keys(others).filter((id) => !this.#followed.has(id));
    const forgotten = new Set(unshown.slice(0, Math.max(0, unshown.length + 1 - REMEMBERED)));
    const kept = Object.entries(others).filter(([id]) => !forgotten.has(id));
    this.store.setState({ entries: Object.fromEntries([...kept, [justLeft, left]]) });
  }

  #take(item: ConnectionNews): void {
    if (item.kind === "event") {
      const followed = this.#followed.get(item.event.session_id);
      if (followed === undefined) return;
      followed.session.take(item.event);
      this.#cancelFrame ??= this.#options.browser.onNextFrame(() => this.#fold());
    } else if (item.kind === "start") {
      for (const { session_id, cursor } of item.subscriptions) this.#followed.get(session_id)?.session.startedFrom(cursor);
    } else if (item.kind === "reset") this.refresh(item.session_id);
    else if (item.kind === "gone") this.#followed.get(item.session_id)?.session.gone();
    else if (item.kind === "stale") for (const { session } of this.#followed.values()) session.reopen();
  }

  #fold(): void {
    this.#cancelFrame = null;
    for (const { session } of this.#followed.values()) session.fold();
    const busy = this.#isBusy();
    if (busy === this.#wasBusy) return;
    this.#wasBusy = busy;
    this.#options.onWantChanged();
  }

  #isBusy(): boolean {
    return [...this.#followed.values()].some(({ session, shownBy }) => shownBy > 0 && session.busy);
  }

  #entry(sessionId: string): SessionEntry | undefined {
    return this.store.getState().entries[sessionId];
  }

  #setEntry(sessionId: string, entry: SessionEntry): void {
    const { entries } = this.store.getState();
    if (entries[sessionId] !== entry) this.store.setState({ entries: { ...entries, [sessionId]: entry } });
  }
}
