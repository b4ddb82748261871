import { describe, expect, it } from "vitest";
import { foldRunAll } from "#fold/fold-run";
import { refusalOf, taken, UNKNOWN_IDS, type RuntimeStory } from "./runtime-contract-story";

export function runStories(story: () => RuntimeStory): void {
  describe("starting and observing", () => {
    it("a start is durable when it answers, and is observed to its end", () => startIsObserved(story()));
    it("every cursor continues exactly, or resets and gives everything", () => cursorsContinue(story()));
    it("ending an observation never ends a run (B022)", () => observersComeAndGo(story()));
    it("of twenty starts at one instant exactly one wins", () => oneStartWins(story()));
    it("a repeated run id is the same start once", () => repeatedStart(story()));
    it("what cannot start says why, and nothing changes", () => badStarts(story()));
    it("a start names known toolsets and goes on from a run of its own session, or is refused", () => wordedStarts(story()));
    it("an unknown run is null, whatever the id looks like", () => unknownRuns(story()));
  });
}

async function startIsObserved(story: RuntimeStory): Promise<void> {
  const started = await story.start("think Look.\nsay Hello there.\n\nrun echo one", { source: "test", metadata: { why: "contract" } });
  expect(started).toMatchObject({ stream_id: started.run_id, status: "running", cursor: `${started.run_id}:1`, active_controls: ["cancel", "queue", "steer", "interrupt"], title: "think Look." });
  const stored = await story.view(started.run_id);
  expect(stored).toMatchObject({ session_id: started.session_id, turn_id: started.turn_id, source: "test", message: { text: expect.stringContaining("Hello there.") } });
  const { events, reset, finished } = await story.observed(started.run_id, null);
  expect([reset, finished]).toEqual([null, false]);
  expect(events[0]).toMatchObject({ type: "run.started", seq: 1, terminal: false });
  expect(events.at(-1)).toMatchObject({ type: "done", terminal: true });
  // C1: what observers fold is what is stored, live or replayed.
  expect(foldRunAll(null, events)).toEqual(await story.view(started.run_id));
  expect(await story.lawful(started.run_id)).toEqual(events);
  expect(await story.state(started.run_id)).toMatchObject({ status: "completed", terminal_state: "completed", last_seq: events.length, controls: [], error: null, ended_at: expect.any(Number) });
}

async function cursorsContinue(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("say One two three.\nrun echo x\n\nsay Done.");
  await story.ended(run_id);
  const all = await story.lawful(run_id);
  for (const seq of [1, 2, all.length - 1]) {
    for (const cursor of [`${run_id}:${seq}`, String(seq)]) {
      const { reset, events } = await story.observed(run_id, cursor);
      expect([reset, events]).toEqual([null, all.slice(seq)]);
    }
  }
  for (const cursor of [null, "", "0", `${run_id}:0`]) expect((await story.observed(run_id, cursor)).events).toEqual(all);
  expect(await story.observed(run_id, `${run_id}:${all.length}`)).toEqual({ reset: null, finished: true, events: [] });
  const other = await story.start("say Other.");
  await story.ended(other.run_id);
  const unusable = { abc: "malformed", "-1": "malformed", "1e3": "malformed", [`${other.run_id}:1`]: "foreign", [`${run_id}:${all.length + 1}`]: "past_end", ["9".repeat(64)]: "malformed" };
  for (const [cursor, reason] of Object.entries(unusable)) {
    expect(await story.observed(run_id, cursor)).toEqual({ reset: reason, finished: false, events: all });
  }
}

async function observersComeAndGo(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("stream 60 5");
  for (let observer = 0; observer < 10; observer += 1) {
    const gone = new AbortController();
    const stream = await story.adapter.observeRun(run_id, null, gone.signal);
    for await (const chunk of stream?.chunks ?? []) {
      expect(chunk.count).toBeGreaterThan(0);
      if (observer % 2 === 0) break;
      gone.abort();
    }
  }
  const view = await story.ended(run_id);
  expect(view.terminal_state).toBe("completed");
  expect(view.parts).toMatchObject([{ type: "text", text: expect.stringMatching(/^w1 w2 .* w60$/) }]);
}

async function oneStartWins(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => story.adapter.startRun({ session_id: sessionId, message: `ask Number ${index}? | yes` })));
  const [winner] = outcomes.filter((outcome) => outcome.ok).map(taken);
  const losers = outcomes.filter((outcome) => !outcome.ok);
  expect(losers).toHaveLength(19);
  for (const loser of losers) expect(loser).toMatchObject({ error: { code: "run_active", details: { active_stream_id: winner?.run_id } } });
  expect(await story.runIds(sessionId)).toHaveLength(2);
  await story.adapter.cancelRun(winner?.run_id ?? "");
  await story.ended(winner?.run_id ?? "");
}

async function repeatedStart(story: RuntimeStory): Promise<void> {
  const asked = { run_id: "run_01HZZZZZZZZZZZZZZZZZZZZZZ9", message: "say Once.", metadata: { one: 1, two: [2] } };
  const first = await Promise.all([story.start(asked.message, asked), story.start(asked.message, asked), story.start(asked.message, asked)]);
  expect(new Set(first.map((answer) => JSON.stringify(answer))).size).toBe(1);
  await story.ended(asked.run_id);
  expect(await story.start(asked.message, { ...asked, metadata: { two: [2], one: 1 }, profile: null })).toEqual(first[0]);
  expect(refusalOf(await story.adapter.startRun({ ...asked, message: "say Twice." }))).toBe("idempotency_conflict");
  expect(await story.runIds(first[0]?.session_id ?? "")).toEqual([asked.run_id]);
}

async function badStarts(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  const refusal = async (request: Parameters<RuntimeStory["adapter"]["startRun"]>[0]): Promise<string> => refusalOf(await story.adapter.startRun(request));
  expect(await refusal({ message: "x", session_id: "ses_unknown" })).toBe("session_not_found");
  expect(await refusal({ message: "x", session_id: "../x" })).toBe("session_not_found");
  expect(await refusal({ message: " \n", session_id: sessionId })).toBe("invalid_request");
  expect(await refusal({ message: "x", session_id: sessionId, profile: "nobody" })).toBe("profile_not_found");
  expect(await refusal({ message: "x", session_id: sessionId, workspace: "relative" })).toBe("invalid_request");
  expect(await refusal({ message: "x", session_id: sessionId, workspace: "/no/such/folder" })).toBe("invalid_request");
  expect(await refusal({ message: "x", session_id: sessionId, attachments: ["att_unknown"] })).toBe("invalid_request");
  expect(await refusal({ message: "x", session_id: sessionId, run_id: "../x" })).toBe("invalid_request");
  expect(await refusal({ message: "x", session_id: sessionId, continues: "nothing" })).toBe("invalid_request");
  expect(await story.runIds(sessionId)).toHaveLength(1);
}

async function wordedStarts(story: RuntimeStory): Promise<void> {
  const [sessionId, other] = [await story.idleSession(), await story.idleSession()];
  const [own, foreign] = [(await story.runIds(sessionId))[0], (await story.runIds(other))[0]];
  const asked = { message: "say Hello.", session_id: sessionId };
  const unknown = await story.adapter.startRun({ ...asked, toolsets: ["file", "rockets"] });
  expect(unknown).toMatchObject({ ok: false, error: { code: "invalid_request", message: expect.stringContaining("terminal"), details: { issues: [{ path: "toolsets.1", message: expect.stringContaining("mcp") }] } } });
  const issues = [{ path: "continues", message: expect.any(String) }];
  for (const continues of ["run_unknown", foreign]) {
    expect(await story.adapter.startRun({ ...asked, continues })).toMatchObject({ ok: false, error: { code: "invalid_request", details: { issues } } });
  }
  // A session that is made with the start has no run to go on from, and is not made.
  const before = await story.sessionCount();
  expect(await story.adapter.startRun({ message: "x", continues: own })).toMatchObject({ ok: false, error: { code: "invalid_request" } });
  expect(await story.sessionCount()).toBe(before);
  expect(await story.runIds(sessionId)).toEqual([own]);
  const { run_id } = await story.start(asked.message, { session_id: sessionId, toolsets: ["file", "mcp"], continues: own });
  expect((await story.ended(run_id)).toolsets).toEqual(["file", "mcp"]);
}

async function unknownRuns(story: RuntimeStory): Promise<void> {
  for (const id of UNKNOWN_IDS) {
    expect(await story.adapter.getRun(id)).toBeNull();
    expect(await story.adapter.observeRun(id, null, AbortSignal.timeout(1_000))).toBeNull();
  }
}
