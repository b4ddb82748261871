import { describe, expect, it } from "vitest";
import type { TabWant, WantedSession } from "./tab-messages";
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
} from "./tab-register";

function want(sessions: readonly WantedSession[], changes: Partial<TabWant> = {}): TabWant {
  return { sessions: [...sessions], visible: true, busy: false, ...changes };
}
const ready = (session_id: string, cursor: string | null = null): WantedSession => ({ session_id, cursor, ready: true });
const opening = (session_id: string): WantedSession => ({ session_id, cursor: null, ready: false });

describe("what the leader's connection carries", () => {
  it("is what tabs want, each session once, from its cursor", () => {
    let register = withTab(EMPTY_REGISTER, "tab_1", want([ready("ses_1", "run_1:4")]), 0);
    register = withTab(register, "tab_2", want([ready("ses_1", "run_1:9"), ready("ses_2")]), 0);
    expect(subscriptionsOf(register)).toEqual([
      { session_id: "ses_1", cursor: "run_1:4" },
      { session_id: "ses_2", cursor: null },
    ]);
  });

  it("waits for the cursor of a session that is being opened, but goes on carrying one that it carries", () => {
    const register = withTab(EMPTY_REGISTER, "tab_1", want([opening("ses_1")]), 0);
    expect(subscriptionsOf(register)).toEqual([]);
    expect(lacksSession(register)).toBe(false);
    expect(awaitsSession(register)).toBe(true);
    const carried = carrying(register, [{ session_id: "ses_1", cursor: "run_1:4" }]);
    expect(awaitsSession(carried)).toBe(false);
    expect(subscriptionsOf(withCursor(carried, "ses_1", "run_1:5"))).toEqual([{ session_id: "ses_1", cursor: "run_1:5" }]);
  });

  it("needs a new connection only for a session that it lacks", () => {
    let register = withTab(EMPTY_REGISTER, "tab_1", want([ready("ses_1")]), 0);
    expect(lacksSession(register)).toBe(true);
    register = carrying(register, subscriptionsOf(register));
    expect(lacksSession(register)).toBe(false);
    expect(lacksSession(withTab(register, "tab_1", want([ready("ses_2")]), 0))).toBe(true);
  });

  it("believes no cursor of a session that the server could not go on with", () => {
    let register = withTab(EMPTY_REGISTER, "tab_1", want([ready("ses_1", "run_1:4")]), 0);
    register = withoutSession(carrying(register, subscriptionsOf(register)), "ses_1");
    expect(subscriptionsOf(register)).toEqual([]);
    register = withTab(register, "tab_1", want([ready("ses_1", "run_2:1")]), 0);
    expect(subscriptionsOf(register)).toEqual([{ session_id: "ses_1", cursor: "run_2:1" }]);
  });

  it("is needed while a tab is visible, or while tabs share and something hidden runs", () => {
    const hidden = (busy: boolean) => withTab(EMPTY_REGISTER, "tab_1", want([ready("ses_1")], { visible: false, busy }), 0);
    expect(needsConnection(hidden(false), true)).toBe(false);
    expect(needsConnection(hidden(true), true)).toBe(true);
    expect(needsConnection(hidden(true), false)).toBe(false);
    expect(needsConnection(withTab(hidden(false), "tab_2", want([]), 0), true)).toBe(true);
  });

  it("forgets tabs that vanished, hidden ones later, never itself", () => {
    let register = withTab(EMPTY_REGISTER, "self", want([]), 0);
    register = withTab(register, "tab_1", want([ready("ses_1")]), 0);
    register = withTab(register, "tab_2", want([ready("ses_2")], { visible: false }), 0);
    const names = (now: number) => [...withoutLostTabs(register, "self", now).tabs.keys()];
    expect(names(10_000)).toEqual(["self", "tab_1", "tab_2"]);
    expect(names(60_000)).toEqual(["self", "tab_2"]);
    expect(names(600_000)).toEqual(["self"]);
    expect([...withoutLostTabs(withTabHeard(register, "tab_1", 50_000), "self", 60_000).tabs.keys()]).toContain("tab_1");
    expect(withoutTab(register, "tab_1").tabs.has("tab_1")).toBe(false);
  });
});
