import { describe, expect, it } from "vitest";
import { refusalOf, soon, taken, type RuntimeStory } from "./runtime-contract-story";

export function queueStories(story: () => RuntimeStory): void {
  describe("queue", () => {
    it("runs what waits in order, one at a time, each once", () => inOrder(story()));
    it("of twenty messages at one instant each is a turn of its own, in the order in which they were taken (B087)", () => queueStorm(story()));
    it("is edited, reordered and emptied before it starts", () => edited(story()));
    it("holds after a stop until it is let go", () => held(story()));
    it("starts at once in an idle session", () => atOnce(story()));
    it("takes a message that is sent twice once, in its own session only", () => sentTwice(story()));
    it("knows no item of another name", () => unknownItems(story()));
  });
  describe("steer and interrupt", () => {
    it("a steer is told with the next step", () => steerApplied(story()));
    it("a steer that came too late becomes the next turn (B088)", () => steerLeft(story()));
    it("an interrupt stops, comes first, and the rest follows", () => interrupt(story()));
  });
}

async function busySession(story: RuntimeStory): Promise<{ readonly runId: string; readonly sessionId: string; answer(): Promise<void> }> {
  const { run_id, session_id } = await story.start("ask Go on? | yes");
  const { pending_clarify_id } = await story.reach(run_id, "awaiting_clarify");
  const answer = async (): Promise<void> => {
    expect(taken(await story.adapter.respondClarify(run_id, pending_clarify_id ?? "", { response: "yes" })).accepted).toBe(true);
  };
  return { runId: run_id, sessionId: session_id, answer };
}

async function add(story: RuntimeStory, sessionId: string, message: string): Promise<string> {
  const added = taken(await story.adapter.queueMessage(sessionId, { message, mode: "queue" }));
  expect(added).toMatchObject({ accepted: true, status: "queued", started: null });
  return added.queue_id;
}

async function messages(story: RuntimeStory, sessionId: string): Promise<readonly (string | null)[]> {
  const views = await Promise.all((await story.runIds(sessionId)).map((runId) => story.view(runId)));
  return views.map((view) => view.message?.text ?? null);
}

async function allEnded(story: RuntimeStory, sessionId: string, count: number): Promise<void> {
  await soon(async () => {
    const states = await Promise.all((await story.runIds(sessionId)).map((runId) => story.state(runId)));
    return states.length === count && states.every((state) => state.terminal_state !== null);
  }, `${count} runs of ${sessionId} ended`);
}

async function inOrder(story: RuntimeStory): Promise<void> {
  const { sessionId, answer } = await busySession(story);
  const texts = ["say One.", "say Two.", "say Three."];
  for (const text of texts) await add(story, sessionId, text);
  expect((await messages(story, sessionId))).toHaveLength(1);
  await answer();
  await allEnded(story, sessionId, 4);
  expect((await messages(story, sessionId)).slice(1)).toEqual(texts);
  const views = await Promise.all((await story.runIds(sessionId)).map((runId) => story.view(runId)));
  views.slice(1).forEach((view, index) => {
    expect(view.source).toBe("queue");
    expect(view.started_at).toBeGreaterThanOrEqual(views[index]?.ended_at ?? Number.POSITIVE_INFINITY);
  });
}

async function sentTwice(story: RuntimeStory): Promise<void> {
  const { sessionId, answer } = await busySession(story);
  const asked = { message: "say One.", mode: "queue" as const, client_message_id: "m-1" };
  const answers = await Promise.all(Array.from({ length: 10 }, () => story.adapter.queueMessage(sessionId, asked)));
  const [first] = answers;
  for (const other of answers) expect(other).toEqual(first);
  expect(refusalOf(await story.adapter.queueMessage(sessionId, { ...asked, message: "say Two." }))).toBe("idempotency_conflict");
  const idle = await story.idleSession();
  const started = await story.adapter.queueMessage(idle, asked);
  expect(taken(started)).toMatchObject({ status: "started", started: { session_id: idle } });
  expect(await story.adapter.queueMessage(idle, asked)).toEqual(started);
  await answer();
  await allEnded(story, sessionId, 2);
  expect(await story.adapter.queueMessage(sessionId, asked)).toEqual(first);
  expect(await story.runIds(sessionId)).toHaveLength(2);
}

async function queueStorm(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  const texts = Array.from({ length: 20 }, (_, number) => `say Number ${number}.`);
  const added = (await Promise.all(texts.map((message) => story.adapter.queueMessage(sessionId, { message, mode: "queue" })))).map(taken);
  await allEnded(story, sessionId, texts.length + 1);
  // Ids rise in the order in which they are given.
  const order = added.map((item, number) => ({ id: item.queue_id, text: texts[number] })).sort((one, other) => (one.id < other.id ? -1 : 1));
  expect((await messages(story, sessionId)).slice(1)).toEqual(order.map((item) => item.text));
  const views = await Promise.all((await story.runIds(sessionId)).map((runId) => story.view(runId)));
  views.slice(1).forEach((view, index) => expect(view.started_at).toBeGreaterThanOrEqual(views[index]?.ended_at ?? Number.POSITIVE_INFINITY));
}

async function edited(story: RuntimeStory): Promise<void> {
  const { sessionId, answer } = await busySession(story);
  const [one, two, three] = [await add(story, sessionId, "say One."), await add(story, sessionId, "say Two."), await add(story, sessionId, "say Three.")];
  expect(taken(await story.controls.editQueue(null, { queue_id: two, message: "say 2." }))).toMatchObject({ queue_id: two, text: "say 2.", mode: "queue" });
  expect(taken(await story.controls.editQueue(sessionId, { queue_id: three, before: one }))).toMatchObject({ queue_id: three, text: "say Three." });
  expect(taken(await story.controls.removeFromQueue(one))).toBeNull();
  expect(refusalOf(await story.controls.removeFromQueue(one))).toBe("not_found");
  expect(refusalOf(await story.controls.editQueue(null, { queue_id: two, before: one }))).toBe("not_found");
  await answer();
  await allEnded(story, sessionId, 3);
  expect((await messages(story, sessionId)).slice(1)).toEqual(["say Three.", "say 2."]);
}

async function held(story: RuntimeStory): Promise<void> {
  const { sessionId, runId } = await busySession(story);
  await add(story, sessionId, "say One.");
  await story.adapter.cancelRun(runId);
  await story.ended(runId);
  await add(story, sessionId, "say Two.");
  expect(await story.runIds(sessionId)).toEqual([runId]);
  const resumed = taken(await story.controls.resumeQueue(sessionId));
  expect(resumed).toMatchObject({ session_id: sessionId });
  await allEnded(story, sessionId, 3);
  expect((await messages(story, sessionId)).slice(1)).toEqual(["say One.", "say Two."]);
  // Nothing is held now: that is no failure.
  expect(taken(await story.controls.resumeQueue(sessionId))).toBeNull();
}

async function atOnce(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  for (const mode of ["queue", "steer", "interrupt"] as const) {
    const added = taken(await story.adapter.queueMessage(sessionId, { message: `say By ${mode}.`, mode }));
    expect(added).toMatchObject({ accepted: true, status: "started", started: { session_id: sessionId } });
    await story.ended(added.started?.run_id ?? "");
  }
  expect((await messages(story, sessionId)).slice(1)).toEqual(["say By queue.", "say By steer.", "say By interrupt."]);
}

async function unknownItems(story: RuntimeStory): Promise<void> {
  for (const id of ["que_unknown", "", "..", "x".repeat(5_000)]) {
    expect(refusalOf(await story.controls.editQueue(null, { queue_id: id, message: "x" }))).toBe("not_found");
    expect(refusalOf(await story.controls.removeFromQueue(id))).toBe("not_found");
  }
  for (const id of ["ses_unknown", "", "../x"]) {
    expect(refusalOf(await story.adapter.queueMessage(id, { message: "x", mode: "queue" }))).toBe("session_not_found");
    expect(refusalOf(await story.controls.resumeQueue(id))).toBe("session_not_found");
  }
  expect(refusalOf(await story.adapter.queueMessage(await story.idleSession(), { message: " ", mode: "queue" }))).toBe("invalid_request");
}

async function steerApplied(story: RuntimeStory): Promise<void> {
  const { runId, sessionId, answer } = await busySession(story);
  const steered = taken(await story.adapter.queueMessage(sessionId, { message: "Be brief.", mode: "steer" }));
  expect(steered).toMatchObject({ accepted: true, status: "queued", started: null });
  await answer();
  const view = await story.ended(runId);
  expect(view.parts.find((part) => part.type === "steer")).toMatchObject({ queue_id: steered.queue_id, text: "Be brief.", applied: true });
  expect((await story.lawful(runId)).flatMap((event) => (event.type.startsWith("steer.") ? [event.type] : []))).toEqual(["steer.accepted", "steer.applied"]);
  await soon(async () => (await story.runIds(sessionId)).length === 1, "no turn of its own");
}

async function steerLeft(story: RuntimeStory): Promise<void> {
  const { run_id, session_id } = await story.start("stream 80 10");
  await soon(async () => (await story.view(run_id)).parts.length > 0, "the first words");
  taken(await story.adapter.queueMessage(session_id, { message: "say Left over.", mode: "steer" }));
  const next = await story.nextRun(session_id, [run_id]);
  expect(await story.ended(next)).toMatchObject({ source: "steer", message: { text: "say Left over." }, terminal_state: "completed" });
  expect(await story.view(run_id)).toMatchObject({ terminal_state: "completed" });
}

async function interrupt(story: RuntimeStory): Promise<void> {
  const { sessionId, runId } = await busySession(story);
  await add(story, sessionId, "say Later.");
  taken(await story.adapter.queueMessage(sessionId, { message: "say Now.", mode: "interrupt" }));
  await allEnded(story, sessionId, 3);
  expect((await messages(story, sessionId)).slice(1)).toEqual(["say Now.", "say Later."]);
  expect(await story.view(runId)).toMatchObject({ terminal_state: "cancelled" });
}
