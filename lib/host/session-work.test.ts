/** Stories of a session: queue, steer, interrupt, goal, retry, compression, slots and secrets. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelPart, ModelPort } from "#agent/model/model-port";
import { until } from "#testing/until";
import { openStory, texts } from "./host-story.fixture";
import type { HostStory } from "./host-story.fixture";

let story: HostStory;

afterEach(() => story.close());

describe("queue, steer, interrupt (contract 5.5)", () => {
  it("B082, B086: items run in their order, each as a turn of its own", async () => {
    story = await openStory();
    const first = await story.start("sleep 300\nsay One.");
    for (const message of ["say Two.", "say Three."]) {
      expect(await story.host.controls.queueMessage(first.session_id, { message, mode: "queue" })).toMatchObject({ ok: true, value: { status: "queued" } });
    }
    await until(async () => (await story.runsOf(first.session_id)).filter((run) => run.terminal_state !== null).length === 3);
    const runs = await story.runsOf(first.session_id);
    expect(runs.map((run) => [run.source, ...texts(run)])).toEqual([["webui", "One."], ["queue", "Two."], ["queue", "Three."]]);
    expect(await story.host.host.rows.queue(first.session_id)).toEqual([]);
  });

  it("after a stop the queue holds until the person goes on", async () => {
    story = await openStory();
    const first = await story.start("sleep 5000");
    await story.host.controls.queueMessage(first.session_id, { message: "say Later.", mode: "queue" });
    await story.host.host.cancel(first.run_id, "Stopped.");
    await story.ended(first.run_id);
    await until(async () => (await story.host.host.rows.session(first.session_id))?.queue_held === "stopped");
    expect(await story.runsOf(first.session_id)).toHaveLength(1);
    await story.host.controls.resumeQueue(first.session_id);
    await until(async () => (await story.runsOf(first.session_id)).length === 2);
  });

  it("is held by the time anybody can see the stop: what comes right after it joins, and an owner that dies there has held it", async () => {
    story = await openStory();
    const { host } = story;
    const first = await story.start("sleep 5000");
    await host.controls.queueMessage(first.session_id, { message: "say Later.", mode: "queue" });
    const stopped = host.host.cancel(first.run_id, "Stopped.");
    const look = { sql: "SELECT terminal_state, queue_held FROM runs JOIN sessions USING (session_id) WHERE run_id = ?", args: [first.run_id] };
    await until(async () => {
      const [row] = (await host.database.execute(look)).rows;
      if (row?.["terminal_state"] === null) return false;
      expect(row?.["queue_held"]).toBe("stopped");
      return true;
    });
    const added = await host.controls.queueMessage(first.session_id, { message: "say Even later.", mode: "queue" });
    expect(added).toMatchObject({ ok: true, value: { status: "queued", started: null } });
    await stopped;
    expect(await story.runsOf(first.session_id)).toHaveLength(1);
  });

  it("is let go by who goes on as soon as the end can be seen", async () => {
    story = await openStory();
    const { host } = story;
    for (let round = 0; round < 10; round += 1) {
      const first = await story.start("sleep 5000");
      await host.controls.queueMessage(first.session_id, { message: "say Later.", mode: "queue" });
      void host.host.cancel(first.run_id, "Stopped.");
      const look = { sql: "SELECT 1 FROM runs WHERE run_id = ? AND terminal_state IS NOT NULL", args: [first.run_id] };
      while ((await host.database.execute(look)).rows.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await host.controls.resumeQueue(first.session_id);
      await until(async () => (await story.runsOf(first.session_id)).filter((run) => run.terminal_state === "completed").length === 1);
    }
  });

  it("interrupt cancels, then this message first, then the rest", async () => {
    story = await openStory();
    const first = await story.start("sleep 5000");
    await story.host.controls.queueMessage(first.session_id, { message: "say Last.", mode: "queue" });
    await story.host.controls.queueMessage(first.session_id, { message: "say Now.", mode: "interrupt" });
    await until(async () => (await story.runsOf(first.session_id)).filter((run) => run.terminal_state !== null).length === 3);
    expect((await story.runsOf(first.session_id)).map((run) => texts(run).join(""))).toEqual(["", "Now.", "Last."]);
  });

  it("an interrupt goes before what is held, and the rest stays held", async () => {
    story = await openStory();
    const first = await story.start("sleep 5000");
    await story.host.controls.queueMessage(first.session_id, { message: "say Held.", mode: "queue" });
    await story.host.host.cancel(first.run_id, "Stopped.");
    await story.ended(first.run_id);
    await story.start("sleep 5000", first.session_id);
    await story.host.controls.queueMessage(first.session_id, { message: "say Now.", mode: "interrupt" });
    await until(async () => (await story.runsOf(first.session_id)).filter((run) => run.terminal_state !== null).length === 3);
    expect(texts((await story.runsOf(first.session_id)).at(-1) ?? (await story.view(first.run_id)))).toEqual(["Now."]);
    expect((await story.host.host.rows.queue(first.session_id)).map((row) => row.message)).toEqual(["say Held."]);
    expect((await story.host.host.rows.session(first.session_id))?.queue_held).toBe("stopped");
  });

  it("an item cannot be edited into nothing", async () => {
    story = await openStory();
    const first = await story.start("sleep 400");
    const queued = await story.host.controls.queueMessage(first.session_id, { message: "say Two.", mode: "queue" });
    const id = queued.ok ? queued.value.queue_id : "";
    expect(await story.host.controls.editQueue(null, { queue_id: id, message: " \u200b " })).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    expect((await story.host.host.rows.queueItem(id))?.message).toBe("say Two.");
  });

  it("a steer is told with the next step, and what could not be is the next turn", async () => {
    story = await openStory();
    const first = await story.start("run sleep 0.3\n\nsay Seen.");
    await until(async () => (await story.view(first.run_id)).parts.some((part) => part.type === "tool" && part.status === "running"));
    await story.host.controls.queueMessage(first.session_id, { message: "look left", mode: "steer" });
    const found = await story.ended(first.run_id);
    expect(found.parts.find((part) => part.type === "steer")).toMatchObject({ text: "look left", applied: true });
    await until(async () => (await story.host.host.rows.queue(first.session_id)).length === 0);
    expect(await story.runsOf(first.session_id)).toHaveLength(1);

    const second = await story.start("stream 40 10", first.session_id);
    await until(async () => texts(await story.view(second.run_id)).join("") !== "");
    await story.host.controls.queueMessage(first.session_id, { message: "say Left over.", mode: "steer" });
    await until(async () => (await story.runsOf(first.session_id)).filter((run) => run.terminal_state !== null).length === 3);
    expect((await story.runsOf(first.session_id)).at(-1)).toMatchObject({ source: "steer", message: { text: "say Left over." } });
  });
});

describe("goal (contract 5.6)", () => {
  it("goes on until the budget is used, then waits for the person", async () => {
    story = await openStory();
    const { session_id, run_id } = await story.start("say Hello.");
    await story.ended(run_id);
    const set = await story.host.controls.updateGoal(session_id, "set", "judge continue: keep going");
    expect(set).toMatchObject({ ok: true, value: { goal: { status: "active", max_turns: 20 } } });
    await story.host.database.execute({ sql: "UPDATE sessions SET goal = json_set(goal, '$.max_turns', 3) WHERE session_id = ?", args: [session_id] });
    await until(async () => (await story.host.host.rows.session(session_id))?.goal?.status === "paused", 15_000);
    expect((await story.host.host.rows.session(session_id))?.goal).toMatchObject({ turns_used: 3 });
    const turns = (await story.runsOf(session_id)).filter((run) => run.source === "goal");
    expect(turns.map((turn) => turn.message !== null)).toEqual([true, false, false]);
  });

  it("B090: a stop pauses it, resume sets the counter back and goes on", async () => {
    story = await openStory();
    const { session_id, run_id } = await story.start("say Hello.");
    await story.ended(run_id);
    await story.host.controls.updateGoal(session_id, "set", "sleep 5000\njudge continue");
    const turn = story.host.host.liveRunOf(session_id);
    await story.host.host.cancel(turn?.run_id ?? "", "Stopped.");
    await until(async () => (await story.host.host.rows.session(session_id))?.goal?.status === "paused");
    expect((await story.host.host.rows.session(session_id))?.goal?.last_reason).toContain("stopped");
    expect(story.host.host.liveRunOf(session_id)).toBeUndefined();
    const resumed = await story.host.controls.updateGoal(session_id, "resume", null);
    expect(resumed).toMatchObject({ ok: true, value: { goal: { status: "active", turns_used: 0 }, started: { session_id } } });
  });

  it("is done when the judge says so", async () => {
    story = await openStory();
    const { session_id, run_id } = await story.start("say Hello.");
    await story.ended(run_id);
    await story.host.controls.updateGoal(session_id, "set", "say the word");
    await until(async () => (await story.host.host.rows.session(session_id))?.goal?.status === "done");
    expect((await story.host.host.rows.session(session_id))?.goal).toMatchObject({ turns_used: 1, last_verdict: "done" });
  });
});

describe("retry, compress, concurrency, secrets", () => {
  it("retry takes the last turn out and starts it anew", async () => {
    story = await openStory();
    const first = await story.start("say One.");
    await story.ended(first.run_id);
    const retried = await story.host.controls.retry(first.session_id, null, "say Other.");
    expect(retried.ok).toBe(true);
    await until(async () => (await story.runsOf(first.session_id)).every((run) => run.terminal_state !== null));
    expect((await story.runsOf(first.session_id)).map((run) => texts(run).join(""))).toEqual(["Other."]);
  });

  it("compress refuses when there is nothing to sum up, and sums up what is old", async () => {
    story = await openStory();
    const first = await story.start("say One.");
    await story.ended(first.run_id);
    expect(await story.host.controls.compress(first.session_id, null)).toMatchObject({ ok: false, error: { code: "conflict" } });
    for (let index = 0; index < 4; index += 1) await story.ended((await story.start(`say Turn ${index}.`, first.session_id)).run_id);
    const compressed = await story.host.controls.compress(first.session_id, "names");
    if (!compressed.ok) throw new Error(compressed.error.message);
    const found = await story.ended(compressed.value.run_id);
    expect(found).toMatchObject({ source: "compress", message: null, status: "completed" });
    expect(found.parts.find((part) => part.type === "progress" && part.kind === "compressed")).toBeTruthy();
    expect(await story.ended((await story.start("say Still here.", first.session_id)).run_id)).toMatchObject({ status: "completed" });
  });

  it("more runs than slots wait in order, and can be cancelled", async () => {
    story = await openStory({ env: { HERMES_MAX_CONCURRENT_RUNS: "1" } });
    const first = await story.start("sleep 400\nsay One.");
    const second = await story.start("say Two.");
    const third = await story.start("say Three.");
    expect((await story.view(second.run_id)).status).toBe("queued");
    expect(await story.host.host.cancel(second.run_id, "Stopped.")).toMatchObject({ ok: true, value: { accepted: true } });
    expect(await story.ended(second.run_id)).toMatchObject({ status: "cancelled" });
    expect((await story.view(first.run_id)).status).toBe("running");
    expect(await story.ended(third.run_id)).toMatchObject({ status: "completed" });
    await story.lawful(second.run_id);
  });

  it("J6: a secret in a call is stored as [redacted], and what runs is what the model wrote", async () => {
    const secret = "sekret-value-123456";
    const calls: ModelPart[] = [{ type: "tool-call", provider_call_id: "k1", name: "terminal", arguments: { command: `printf ${secret} > out.txt` }, raw: "" }, { type: "finish", reason: "tool_calls" }];
    const answer: ModelPart[] = [...secret].map((text): ModelPart => ({ type: "text", text }));
    let request = 0;
    const port: ModelPort = {
      provider: "scripted",
      stream: async function* () {
        request += 1;
        yield* request === 1 ? calls : [...answer, { type: "finish", reason: "stop" } satisfies ModelPart];
      },
    };
    story = await openStory({ secrets: [secret], port });
    const { run_id } = await story.start("Write the key to a file.");
    const found = await story.ended(run_id);
    expect(JSON.stringify(await story.host.journal.readRunEvents(run_id, 0, 10_000))).not.toContain(secret);
    expect(found.parts.find((part) => part.type === "tool")).toMatchObject({ title: "printf [redacted] > out.txt", redacted: true, status: "ok" });
    expect(await readFile(join(story.folder, "workspace", "out.txt"), "utf8")).toBe(secret);
    expect(texts(found).join("")).toMatch(/\[redacted\]$/);
  });

  it("B201: a file that changed since an earlier turn read it is not overwritten", async () => {
    story = await openStory();
    const first = await story.start("write notes.txt: one\nread notes.txt\n\nsay Read.");
    await story.ended(first.run_id);
    await writeFile(join(story.folder, "workspace", "notes.txt"), "changed outside");
    const second = await story.start("write notes.txt: mine\n\nsay Tried.", first.session_id);
    const found = await story.ended(second.run_id);
    expect(found.parts.find((part) => part.type === "tool")).toMatchObject({ status: "error" });
    expect(await readFile(join(story.folder, "workspace", "notes.txt"), "utf8")).toBe("changed outside");
  });

  it("J6: a secret in a message, a queue item or a goal is nowhere in the database", async () => {
    const secret = "sekret-value-123456";
    story = await openStory({ secrets: [secret] });
    const first = await story.start(`sleep 300\nsay ${secret}`);
    await story.host.controls.queueMessage(first.session_id, { message: `say ${secret}`, mode: "queue" });
    await until(async () => (await story.runsOf(first.session_id)).filter((run) => run.terminal_state !== null).length === 2);
    await story.host.controls.updateGoal(first.session_id, "set", `keep ${secret}`);
    await until(async () => (await story.host.host.rows.session(first.session_id))?.goal?.status === "done");
    for (const table of ["sessions", "runs", "events", "queue_items", "run_views", "run_view_parts", "search_rows"]) {
      const { rows } = await story.host.database.execute(`SELECT * FROM ${table}`);
      expect(JSON.stringify(rows), table).not.toContain(secret);
    }
  });
});
