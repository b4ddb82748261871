import { describe, expect, it } from "vitest";
import type { SessionSummary } from "#protocol/session-shapes";
import { groupSessions, keepOrder, newestFirst } from "./session-groups";
import { rowDescription, rowMark } from "./session-state";

const at = (text: string): number => new Date(text).getTime() / 1000;
const NOW = at("2026-03-12T14:30:00");

function session(id: string, moment: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    session_id: id,
    title: id,
    profile: "default",
    project_id: null,
    workspace: "/w",
    provider: null,
    model: null,
    pinned: false,
    archived: false,
    created_at: at(moment),
    updated_at: at(moment),
    last_message_at: at(moment),
    active_stream_id: null,
    status: "idle",
    unread: false,
    preview: null,
    parent_session_id: null,
    usage: { input_tokens: null, output_tokens: null, cost_usd: null },
    yolo: false,
    unseen_outcome: null,
    active_started_at: null,
    ...more,
  };
}

describe("the session list", () => {
  it("groups by calendar days, pinned ones first", () => {
    const sessions = [
      session("a", "2026-03-12T00:01:00"),
      session("b", "2026-03-11T23:59:00"),
      session("c", "2026-03-08T10:00:00"),
      session("p", "2026-03-07T10:00:00", { pinned: true }),
      session("d", "2026-03-02T10:00:00"),
      session("e", "2026-02-02T10:00:00"),
      session("f", "2025-02-02T10:00:00"),
    ];
    expect(groupSessions(sessions, NOW).map((group) => `${group.label}: ${group.sessions.map((member) => member.session_id).join(" ")}`)).toEqual([
      "Pinned: p",
      "Today: a",
      "Yesterday: b",
      "Earlier this week: c",
      "Earlier this month: d",
      "February: e",
      "2025: f",
    ]);
  });

  it("orders by the last message and not by other changes", () => {
    const sessions = [session("old", "2026-03-11T10:00:00", { updated_at: NOW }), session("new", "2026-03-12T10:00:00")];
    expect(newestFirst(sessions).map((member) => member.session_id)).toEqual(["new", "old"]);
  });

  it("moves nothing under the pointer", () => {
    const now = [session("c", "2026-03-12T12:00:00"), session("b", "2026-03-12T11:00:00"), session("a", "2026-03-12T10:00:00")];
    expect(keepOrder(now, ["a", "b"]).map((member) => member.session_id)).toEqual(["a", "b", "c"]);
    expect(keepOrder(now.slice(0, 2), ["a", "b"]).map((member) => member.session_id)).toEqual(["b", "c"]);
  });
});

describe("a session's mark", () => {
  it("tells what waits, runs, failed or is new, in this order", () => {
    const base = session("a", "2026-03-12T10:00:00", { unread: true, unseen_outcome: "failed" });
    expect(rowMark({ ...base, status: "awaiting_approval" })).toBe("approval");
    expect(rowMark({ ...base, status: "running" })).toBe("running");
    expect(rowMark(base)).toBe("failed");
    expect(rowMark({ ...base, unseen_outcome: "completed" })).toBe("unread");
    expect(rowMark({ ...base, unread: false, unseen_outcome: "cancelled" })).toBe("none");
  });

  it("is heard as the link's description", () => {
    expect(rowDescription(session("a", "2026-03-12T10:00:00", { status: "awaiting_clarify" }))).toBe("waiting for your answer");
    expect(rowDescription(session("a", "2026-03-12T10:00:00"))).toBe("");
  });
});
