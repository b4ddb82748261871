/**
 * What the leading tab knows of all tabs, and what its connection carries: plain data and pure steps.
 *
 * - A session is carried without a break from its first `start` until a connection is made without
 *   it, so a tab that opened it meanwhile misses nothing.
 * - A session that is not carried is taken up from the cursor of a tab that has opened it; which
 *   tab does not matter, for every tab checks the `start` against its own view.
 * - Tabs that vanished without a word are forgotten after a while.
 */
import type { Subscription } from "./api";
import type { TabWant } from "./tab-messages";

export interface TabEntry extends TabWant {
  readonly heard_at: number;
}
export interface TabRegister {
  readonly tabs: ReadonlyMap<string, TabEntry>;
  /** Cursor of the last event that was handed on, by session. */
  readonly carried: ReadonlyMap<string, string | null>;
}

export const EMPTY_REGISTER: TabRegister = { tabs: new Map(), carried: new Map() };

/** A visible tab asks after its leader every few seconds; a hidden one is slowed down by the browser to once a minute. */
const FORGET_VISIBLE_MS = 20_000;
const FORGET_HIDDEN_MS = 180_000;
const MOST_SESSIONS = 40;

export function withTab(register: TabRegister, tab: string, want: TabWant, now: number): TabRegister {
  return { ...register, tabs: new Map(register.tabs).set(tab, { ...want, heard_at: now }) };
}

export function withTabHeard(register: TabRegister, tab: string, now: number): TabRegister {
  const entry = register.tabs.get(tab);
  return entry === undefined ? register : withTab(register, tab, entry, now);
}

export function withoutTab(register: TabRegister, tab: string): TabRegister {
  const tabs = new Map(register.tabs);
  tabs.delete(tab);
  return { ...register, tabs };
}

export function withoutLostTabs(register: TabRegister, self: string, now: number): TabRegister {
  const lives = ([tab, entry]: readonly [string, TabEntry]) => tab === self || now - entry.heard_at < (entry.visible ? FORGET_VISIBLE_MS : FORGET_HIDDEN_MS);
  return { ...register, tabs: new Map([...register.tabs].filter(lives)) };
}

/** Events of this session were handed on up to the cursor; of a session that is not carried nothing is. */
export function withCursor(register: TabRegister, sessionId: string, cursor: string): TabRegister {
  return { ...register, carried: new Map(register.carried).set(sessionId, cursor) };
}

/** The server cannot go on with this session: it is not carried any more, and no cursor of it is believed until its tab has opened it anew. */
export function withoutSession(register: TabRegister, sessionId: string): TabRegister {
  const carried = new Map(register.carried);
  carried.delete(sessionId);
  const unready = (entry: TabEntry): TabEntry => ({
    ...entry,
    sessions: entry.sessions.map((session) => (session.session_id === sessionId ? { ...session, ready: false } : session)),
  });
  return { tabs: new Map([...register.tabs].map(([tab, entry]) => [tab, unready(entry)])), carried };
}

/** What the next connection carries: every wanted session, from where it stands or from the cursor of a tab that is ready. */
export function subscriptionsOf(register: TabRegister): readonly Subscription[] {
  const wanted = new Map<string, string | null>();
  for (const entry of register.tabs.values()) {
    for (const { session_id, cursor, ready } of entry.sessions) {
      if (wanted.has(session_id)) continue;
      const carried = register.carried.get(session_id);
      if (carried !== undefined) wanted.set(session_id, carried);
      else if (ready) wanted.set(session_id, cursor);
    }
  }
  return [...wanted].slice(0, MOST_SESSIONS).map(([session_id, cursor]) => ({ session_id, cursor }));
}

/** True when a session is wanted and ready that the connection does not carry. */
export function lacksSession(register: TabRegister): boolean {
  return subscriptionsOf(register).some(({ session_id }) => !register.carried.has(session_id));
}

/** True while a session that is not carried is being opened by the only tabs that want it. */
export function awaitsSession(register: TabRegister): boolean {
  const wanted = new Set([...register.tabs.values()].flatMap((entry) => entry.sessions.map((session) => session.session_id)));
  return subscriptionsOf(register).length < Math.min(wanted.size, MOST_SESSIONS);
}

/** A connection was made with these: it carries them and nothing else. */
export function carrying(register: TabRegister, subscriptions: readonly Subscription[]): TabRegister {
  return { ...register, carried: new Map(subscriptions.map(({ session_id, cursor }) => [session_id, cursor])) };
}

/** Whether any tab needs events: one is visible, or (where tabs share) something that one shows runs or waits. */
export function needsConnection(register: TabRegister, shared: boolean): boolean {
  return [...register.tabs.values()].some((entry) => entry.visible || (shared && entry.busy));
}
