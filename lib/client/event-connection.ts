/**
 * C4: the tabs of one browser share their event connection. One tab leads, by a Web Lock; it holds
 * the connection and fans out by a BroadcastChannel; when it goes, another goes on from where the
 * tabs stand. Where the browser has neither, a tab is alone and connected while it is visible.
 *
 * Why nothing is missed: a tab says `want` before it opens a session, listens from then on, and only
 * then reads GET session; a leader that carries the session hands on everything after that read, one
 * that does not takes it up from the read's cursor. Each new connection says where it starts, and a
 * tab whose view does not hold that event opens the session anew. Batches are counted; a tab that
 * missed one (asleep, restored) opens what it shows anew. Overlap is harmless (C2).
 */
import type { Browser, Cancel, ChannelPort, PageSignal } from "./browser";
import type { Subscription } from "./api";
import type { ConnectionNews } from "./connection-news";
import { EventLeader } from "./event-leader";
import { LINK_TIMING, type ConnectionState, type LinkTiming } from "./link-machine";
import { Leadership } from "./leadership";
import { newsOfMessage, parseTabMessage, TAB_PROTOCOL, type SentTabMessage, type TabMessage, type TabWant } from "./tab-messages";

export interface EventConnectionOptions {
  readonly browser: Browser;
  readonly eventsUrl: (subscriptions: readonly Subscription[]) => string;
  /** Names channel and lock: one origin may serve several installs. */
  readonly basePath: string;
  /** Unique among tabs. */
  readonly tab: string;
  readonly timing?: LinkTiming;
  /** What this tab shows, asked whenever it is told to others. */
  readonly want: () => Omit<TabWant, "visible">;
  readonly onNews: (news: readonly ConnectionNews[]) => void;
  readonly onState: (state: ConnectionState) => void;
}

const PROBE_MS = 1_500;
const MUTE_PROBES = 2;
const HIDDEN_BEAT_MS = 60_000;

export class EventConnection {
  readonly #options: EventConnectionOptions;
  readonly #cancelSignals: Cancel;
  #channel: ChannelPort | null = null;
  #leadership: Leadership | null = null;
  #leader: EventLeader | null = null;
  /** Where sessions stand that the leading tab carries, as this tab heard it. */
  #relayed = new Map<string, string | null>();
  #leaderTab: string | null = null;
  #batches: number | null = null;
  #unanswered = 0;
  #cancelBeat: Cancel | null = null;

  constructor(options: EventConnectionOptions) {
    this.#options = options;
    this.#cancelSignals = options.browser.onPageSignal((signal) => this.#onPageSignal(signal));
    this.#begin();
  }

  /** Call when what `want` answers changed: sessions, their readiness, or busy. */
  wantChanged(): void {
    const want = { ...this.#options.want(), visible: this.#options.browser.isVisible() };
    if (this.#leader === null) this.#post({ kind: "want", tab: this.#options.tab, want });
    else this.#leader.want(this.#options.tab, want);
  }

  /** Tries at once instead of at the end of the wait. */
  tryNow(): void {
    this.#poke(true);
  }

  close(): void {
    this.#cancelSignals();
    this.#end();
  }

  #begin(): void {
    const { browser, basePath, tab } = this.#options;
    const { locks, openChannel } = browser;
    if (locks === null || openChannel === null) {
      this.#lead(false);
      return;
    }
    const name = `hermes-events-${TAB_PROTOCOL}:${basePath}`;
    this.#channel = openChannel(name, (message) => {
      const parsed = parseTabMessage(message);
      if (parsed !== null && parsed.tab !== tab) this.#onMessage(parsed);
    });
    this.#leadership = new Leadership({
      locks,
      name,
      onLead: () => this.#lead(true),
      onLost: () => this.#stopLeading(),
      onRefused: () => this.#lead(false),
    });
    this.#leadership.join();
    this.wantChanged();
    this.#beat();
  }

  #end(): void {
    this.#cancelBeat?.();
    this.#cancelBeat = null;
    this.#stopLeading();
    this.#leadership?.leave();
    this.#leadership = null;
    this.#post({ kind: "leave", tab: this.#options.tab });
    this.#channel?.close();
    this.#channel = null;
    this.#leaderTab = null;
    this.#batches = null;
  }

  #lead(shared: boolean): void {
    const { browser, eventsUrl, tab, timing = LINK_TIMING, onNews, onState } = this.#options;
    let number = 0;
    this.#batches = 0;
    this.#leader = new EventLeader({
      browser,
      eventsUrl,
      timing,
      self: tab,
      shared,
      carried: this.#relayed,
      onNews: (news) => {
        number += 1;
        this.#batches = number;
        this.#post({ kind: "batch", tab, number, news });
        this.#follow(news);
        onNews(news);
      },
      onState: (state) => {
        this.#post({ kind: "state", tab, state });
        onState(state);
      },
    });
    this.#post({ kind: "lead", tab });
    this.wantChanged();
  }

  #stopLeading(): void {
    if (this.#leader === null) return;
    this.#leader.close();
    this.#leader = null;
    this.#leaderTab = null;
    this.#batches = null;
    // In line again: whoever leads now needs to know what this tab shows, and may have told much already.
    this.wantChanged();
    this.#options.onNews([{ kind: "stale" }]);
  }

  #onMessage(message: TabMessage): void {
    // This tab was replaced while it slept, and hears of it here before the lock says so.
    if (this.#leader !== null && message.kind === "lead") {
      this.#leadership?.leave();
      this.#leadership?.join();
    }
    if (this.#leader !== null) this.#onTabMessage(this.#leader, message);
    else this.#onLeaderMessage(message);
  }

  #onTabMessage(leader: EventLeader, message: TabMessage): void {
    if (message.kind === "want") leader.want(message.tab, message.want);
    if (message.kind === "leave") leader.forget(message.tab);
    if (message.kind === "try_now") leader.poke(message.force);
    if (message.kind !== "probe") return;
    leader.heard(message.tab);
    this.#post({ kind: "alive", tab: this.#options.tab, batches: this.#batches ?? 0, carries: [...leader.carries], state: leader.state });
  }

  #onLeaderMessage(message: TabMessage): void {
    const { onNews, onState } = this.#options;
    if (message.kind === "lead") {
      this.#heardFrom(message.tab, 0);
      this.wantChanged();
    } else if (message.kind === "state") {
      this.#unanswered = 0;
      onState(message.state);
    } else if (message.kind === "alive") {
      if (this.#heardFrom(message.tab, message.batches) === "missed") onNews([{ kind: "stale" }]);
      onState(message.state);
      const carried = new Set(message.carries);
      if (this.#options.want().sessions.some((session) => session.ready && !carried.has(session.session_id))) this.wantChanged();
    } else if (message.kind === "batch") {
      const missed = this.#heardFrom(message.tab, message.number, message.number - 1) === "missed";
      const news = newsOfMessage(message.news);
      this.#follow(news);
      onNews(missed ? [...news, { kind: "stale" }] : news);
    }
  }

  /** Notes the leader's count of batches; `missed` when this tab has not heard all before it. */
  #heardFrom(leaderTab: string, batches: number, expected = batches): "all" | "missed" {
    const known = this.#leaderTab === leaderTab ? this.#batches : null;
    this.#leaderTab = leaderTab;
    this.#batches = batches;
    this.#unanswered = 0;
    return known === null || known === expected ? "all" : "missed";
  }

  #follow(news: readonly ConnectionNews[]): void {
    for (const item of news) {
      if (item.kind === "start") this.#relayed = new Map(item.subscriptions.map(({ session_id, cursor }) => [session_id, cursor]));
      else if (item.kind === "event") this.#relayed.set(item.event.session_id, item.event.event_id);
      else if (item.kind === "reset" || item.kind === "gone") this.#relayed.delete(item.session_id);
    }
  }

  #beat(): void {
    this.#cancelBeat?.();
    const { browser, tab } = this.#options;
    const visible = browser.isVisible();
    if (this.#leader === null && visible) {
      if (this.#unanswered >= MUTE_PROBES) this.#leadership?.take();
      this.#unanswered += 1;
      this.#post({ kind: "probe", tab });
    } else if (this.#leader === null) {
      this.wantChanged();
    }
    this.#cancelBeat = browser.clock.after(visible ? PROBE_MS : HIDDEN_BEAT_MS, () => this.#beat());
  }

  #poke(force: boolean): void {
    if (this.#leader !== null) this.#leader.poke(force);
    else this.#post({ kind: "try_now", tab: this.#options.tab, force });
  }

  #onPageSignal(signal: PageSignal): void {
    if (signal === "frozen") return this.#end();
    if (signal === "thawed") {
      this.#end();
      this.#begin();
      this.#options.onNews([{ kind: "stale" }]);
      return;
    }
    if (signal === "woken") return this.#poke(true);
    this.wantChanged();
    if (signal === "hidden") return;
    this.#poke(false);
    this.#unanswered = 0;
    if (this.#channel !== null) this.#beat();
  }

  #post(message: SentTabMessage): void {
    this.#channel?.post(message);
  }
}
