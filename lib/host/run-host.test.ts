/** Stories of one host on a real database with the practice model: what a person does, what the journal says. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPrompts } from "#fold/open-work";
import type { RunEvent } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import type { ModelPart, ModelPort } from "#agent/model/model-port";
import { openTestHost } from "#testing/test-host";
import type { TestHost } from "#testing/test-host";
import { until } from "#testing/until";

let folder = "";
let host: TestHost;

async function open(env: Record<string, string> = {}): Promise<void> {
  host = await openTestHost({ folder, env });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "host-"));
});

afterEach(async () => {
  await host.shut();
  await rm(folder, { recursive: true, force: true });
});

async function start(message: string, sessionId: string | null = null): Promise<{ run_id: string; session_id: string }> {
  const started = await host.host.start({ session_id: sessionId, message });
  if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
  return started.value;
}

async function view(runId: string): Promise<RunView> {
  const found = await host.journal.readView(runId);
  if (found === null) throw new Error("There is no such run.");
  return found;
}

async function ended(runId: string): Promise<RunView> {
  await until(async () => (await view(runId)).terminal_state !== null, 15_000);
  return view(runId);
}

async function lawful(runId: string): Promise<readonly RunEvent[]> {
  const events = await host.journal.readRunEvents(runId, 0, 100_000);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.terminal)).toHaveLength(1);
  expect(events.at(-1)?.terminal).toBe(true);
  const requested = events.flatMap((event) => (event.type === "tool.requested" ? event.payload.calls.map((call) => call.tool_call_id) : []));
  const done = events.flatMap((event) => (event.type === "tool.done" ? [event.payload.tool_call_id] : []));
  expect([...done].sort()).toEqual([...requested].sort());
  return events;
}

function texts(found: RunView): readonly string[] {
  return found.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

async function runsOf(sessionId: string): Promise<readonly RunView[]> {
  return host.host.rows.views(sessionId, null);
}

describe("a run from start to end", () => {
  it("thinks, runs a command, plans and answers", async () => {
    await open();
    const { run_id } = await start("think Look first.\nplan look; say\nrun echo one; echo two >&2\n\nsay It said one.");
    const found = await ended(run_id);
    expect(found).toMatchObject({ status: "completed", terminal_state: "completed", source: "webui" });
    expect(found.parts.map((part) => part.type)).toEqual(["reasoning", "tool", "tool", "todo", "text"]);
    expect(found.parts.find((part) => part.type === "tool" && part.name === "terminal")).toMatchObject({ status: "ok", stdout: "one\n", stderr: "two\n", exit_code: 0 });
    await lawful(run_id);
  });

  it("fails with the model's own code, keeps what was shown, and the next turn works", async () => {
    await open();
    const first = await start("say Before.\nfail provider_overloaded");
    expect(await ended(first.run_id)).toMatchObject({ status: "failed", error: { code: "provider_overloaded" } });
    expect(texts(await view(first.run_id))).toEqual(["Before."]);
    const second = await start("say After.", first.session_id);
    expect(await ended(second.run_id)).toMatchObject({ status: "completed" });
    await lawful(first.run_id);
  });

  it("B087: of twenty starts at one instant exactly one wins", async () => {
    await open();
    const { session_id, run_id } = await start("say Hello.");
    await ended(run_id);
    const starts = await Promise.all(Array.from({ length: 20 }, () => host.host.start({ session_id, message: "sleep 300" })));
    expect(starts.filter((outcome) => outcome.ok)).toHaveLength(1);
    const codes = starts.flatMap((outcome) => (outcome.ok ? [] : [outcome.error.code]));
    expect(new Set(codes)).toEqual(new Set(["run_active"]));
  });
});

describe("cancel (contract 5.2.5)", () => {
  it("H4, B047: twenty cancels, one accepted, one terminal event", async () => {
    await open();
    const { run_id } = await start("stream 500 5");
    await until(async () => texts(await view(run_id)).join("").length > 20);
    const results = await Promise.all(Array.from({ length: 20 }, () => host.host.cancel(run_id, "Stopped.")));
    expect(results.filter((result) => result.ok && result.value.accepted)).toHaveLength(1);
    const found = await ended(run_id);
    expect(found).toMatchObject({ status: "cancelled", terminal_state: "cancelled" });
    expect("w1 w2 w3").toBe(texts(found).join("").slice(0, 8));
    expect(await host.host.cancel(run_id, "Again.")).toMatchObject({ ok: true, value: { accepted: false, status: "not-active" } });
    await lawful(run_id);
  });

  it("B037: a shell that ignores TERM and INT is gone within ten seconds, and says so", async () => {
    await open();
    const { run_id } = await start(`run bash -c 'trap "" INT TERM; echo READY; sleep 300; sleep 300'`);
    await until(async () => (await view(run_id)).parts.some((part) => part.type === "approval" || (part.type === "tool" && part.stdout.includes("READY"))));
    for (const prompt of openPrompts(await view(run_id))) if (prompt.type === "approval") await host.host.respondApproval(run_id, prompt.approval_id, "once");
    await until(async () => (await view(run_id)).parts.some((part) => part.type === "tool" && part.stdout.includes("READY")));
    await host.host.cancel(run_id, "Stopped.");
    const found = await ended(run_id);
    expect(found.cancelled).toMatchObject({ survivors: 0 });
    expect(found.cancelled?.processes).toBeGreaterThan(0);
    expect(found.parts.find((part) => part.type === "tool")).toMatchObject({ status: "cancelled", stdout: "READY\n" });
  }, 20_000);

  it("B052: the rest of a step never starts, and each call has its end", async () => {
    await open();
    const { run_id } = await start(["run echo 1", "run sleep 30", "run echo 3", "run echo 4"].join("\n"));
    await until(async () => (await view(run_id)).parts.some((part) => part.type === "tool" && part.title === "sleep 30" && part.status === "running"));
    await host.host.cancel(run_id, "Stopped.");
    await ended(run_id);
    const events = await lawful(run_id);
    expect(events.filter((event) => event.type === "tool.started")).toHaveLength(2);
  });

  it("B063: closes a prompt that waits, and a late answer changes nothing", async () => {
    await open();
    const { run_id } = await start("run rm -r gone");
    await until(async () => openPrompts(await view(run_id)).length === 1);
    const prompt = openPrompts(await view(run_id))[0];
    await host.host.cancel(run_id, "Stopped.");
    const found = await ended(run_id);
    expect(found.parts.find((part) => part.type === "approval")).toMatchObject({ status: "cancelled" });
    const late = await host.host.respondApproval(run_id, prompt?.type === "approval" ? prompt.approval_id : "", "once");
    expect(late).toMatchObject({ ok: true, value: { accepted: false, status: "not-active" } });
    await lawful(run_id);
  });
});

describe("prompts", () => {
  it("B066: fifty answers, one winner", async () => {
    await open();
    const { run_id } = await start("run rm -rf one two\n\nsay After.");
    await until(async () => openPrompts(await view(run_id)).length === 1);
    const prompt = openPrompts(await view(run_id))[0];
    const id = prompt?.type === "approval" ? prompt.approval_id : "";
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => host.host.respondApproval(run_id, id, index % 2 === 0 ? "deny" : "once")));
    expect(answers.filter((answer) => answer.ok && answer.value.accepted)).toHaveLength(1);
    await ended(run_id);
    const events = await lawful(run_id);
    expect(events.filter((event) => event.type === "approval.resolved")).toHaveLength(1);
  });

  it("an expired approval counts as deny and the run goes on", async () => {
    await open({ HERMES_APPROVAL_TIMEOUT_S: "1" });
    const { run_id } = await start("run rm -rf folder\n\nsay After.");
    const found = await ended(run_id);
    expect(found.parts.find((part) => part.type === "approval")).toMatchObject({ status: "expired" });
    expect(found.parts.find((part) => part.type === "tool")).toMatchObject({ status: "denied" });
    expect(texts(found)).toEqual(["After."]);
  });

  it("B078: an answer becomes the result once, byte for byte", async () => {
    await open();
    const { run_id } = await start("ask Which? | left | right\n\nsay Thanks.");
    await until(async () => openPrompts(await view(run_id)).length === 1);
    const prompt = openPrompts(await view(run_id))[0];
    const id = prompt?.type === "clarify" ? prompt.clarify_id : "";
    expect((await view(run_id)).status).toBe("awaiting_clarify");
    expect(await host.host.respondClarify(run_id, id, { response: "blå 🧪" })).toMatchObject({ ok: true, value: { accepted: true } });
    expect(await host.host.respondClarify(run_id, id, { response: "no" })).toMatchObject({ ok: true, value: { accepted: false } });
    const found = await ended(run_id);
    expect(found.parts.find((part) => part.type === "tool")?.result).toContain("blå 🧪");
  });

  it("`session` allows the pattern for the session, yolo releases what waits", async () => {
    await open();
    const first = await start("run rm -rf a\n\nrun rm -rf b\n\nsay Done.");
    await until(async () => openPrompts(await view(first.run_id)).length === 1);
    const prompt = openPrompts(await view(first.run_id))[0];
    await host.host.respondApproval(first.run_id, prompt?.type === "approval" ? prompt.approval_id : "", "session");
    const found = await ended(first.run_id);
    expect(found.parts.filter((part) => part.type === "approval")).toHaveLength(1);
    const other = await start("run rm -rf a");
    await until(async () => openPrompts(await view(other.run_id)).length === 1);
    expect(await host.controls.setYolo(other.session_id, true)).toEqual({ ok: true, value: true });
    expect((await ended(other.run_id)).parts.find((part) => part.type === "approval")).toMatchObject({ status: "approved", by: "yolo" });
  });
});

describe("queue, steer, interrupt (contract 5.5)", () => {
  it("B082, B086: items run in their order, each as a turn of its own", async () => {
    await open();
    const first = await start("sleep 300\nsay One.");
    for (const message of ["say Two.", "say Three."]) {
      expect(await host.controls.queueMessage(first.session_id, { message, mode: "queue" })).toMatchObject({ ok: true, value: { status: "queued" } });
    }
    await until(async () => (await runsOf(first.session_id)).filter((run) => run.terminal_state !== null).length === 3);
    const runs = await runsOf(first.session_id);
    expect(runs.map((run) => [run.source, ...texts(run)])).toEqual([["webui", "One."], ["queue", "Two."], ["queue", "Three."]]);
    expect(await host.host.rows.queue(first.session_id)).toEqual([]);
  });

  it("after a stop the queue holds until the person goes on", async () => {
    await open();
    const first = await start("sleep 5000");
    await host.controls.queueMessage(first.session_id, { message: "say Later.", mode: "queue" });
    await host.host.cancel(first.run_id, "Stopped.");
    await ended(first.run_id);
    await until(async () => (await host.host.rows.session(first.session_id))?.queue_held === "stopped");
    expect(await runsOf(first.session_id)).toHaveLength(1);
    await host.controls.resumeQueue(first.session_id);
    await until(async () => (await runsOf(first.session_id)).length === 2);
  });

  it("interrupt cancels, then this message first, then the rest", async () => {
    await open();
    const first = await start("sleep 5000");
    await host.controls.queueMessage(first.session_id, { message: "say Last.", mode: "queue" });
    await host.controls.queueMessage(first.session_id, { message: "say Now.", mode: "interrupt" });
    await until(async () => (await runsOf(first.session_id)).filter((run) => run.terminal_state !== null).length === 3);
    expect((await runsOf(first.session_id)).map((run) => texts(run).join(""))).toEqual(["", "Now.", "Last."]);
  });

  it("a steer is told with the next step, and what could not be is the next turn", async () => {
    await open();
    const first = await start("run sleep 0.3\n\nsay Seen.");
    await until(async () => (await view(first.run_id)).parts.some((part) => part.type === "tool" && part.status === "running"));
    await host.controls.queueMessage(first.session_id, { message: "look left", mode: "steer" });
    const found = await ended(first.run_id);
    expect(found.parts.find((part) => part.type === "steer")).toMatchObject({ text: "look left", applied: true });
    await until(async () => (await host.host.rows.queue(first.session_id)).length === 0);
    expect(await runsOf(first.session_id)).toHaveLength(1);

    const second = await start("stream 40 10", first.session_id);
    await until(async () => texts(await view(second.run_id)).join("") !== "");
    await host.controls.queueMessage(first.session_id, { message: "say Left over.", mode: "steer" });
    await until(async () => (await runsOf(first.session_id)).filter((run) => run.terminal_state !== null).length === 3);
    expect((await runsOf(first.session_id)).at(-1)).toMatchObject({ source: "steer", message: { text: "say Left over." } });
  });
});

describe("goal (contract 5.6)", () => {
  it("goes on until the budget is used, then waits for the person", async () => {
    await open();
    const { session_id, run_id } = await start("say Hello.");
    await ended(run_id);
    const set = await host.controls.updateGoal(session_id, "set", "judge continue: keep going");
    expect(set).toMatchObject({ ok: true, value: { goal: { status: "active", max_turns: 20 } } });
    await host.database.execute({ sql: "UPDATE sessions SET goal = json_set(goal, '$.max_turns', 3) WHERE session_id = ?", args: [session_id] });
    await until(async () => (await host.host.rows.session(session_id))?.goal?.status === "paused", 15_000);
    expect((await host.host.rows.session(session_id))?.goal).toMatchObject({ turns_used: 3 });
    const turns = (await runsOf(session_id)).filter((run) => run.source === "goal");
    expect(turns.map((turn) => turn.message !== null)).toEqual([true, false, false]);
  });

  it("B090: a stop pauses it, resume sets the counter back and goes on", async () => {
    await open();
    const { session_id, run_id } = await start("say Hello.");
    await ended(run_id);
    await host.controls.updateGoal(session_id, "set", "sleep 5000\njudge continue");
    const turn = host.host.liveRunOf(session_id);
    await host.host.cancel(turn?.run_id ?? "", "Stopped.");
    await until(async () => (await host.host.rows.session(session_id))?.goal?.status === "paused");
    expect((await host.host.rows.session(session_id))?.goal?.last_reason).toContain("stopped");
    expect(host.host.liveRunOf(session_id)).toBeUndefined();
    const resumed = await host.controls.updateGoal(session_id, "resume", null);
    expect(resumed).toMatchObject({ ok: true, value: { goal: { status: "active", turns_used: 0 }, started: { session_id } } });
  });

  it("is done when the judge says so", async () => {
    await open();
    const { session_id, run_id } = await start("say Hello.");
    await ended(run_id);
    await host.controls.updateGoal(session_id, "set", "say the word");
    await until(async () => (await host.host.rows.session(session_id))?.goal?.status === "done");
    expect((await host.host.rows.session(session_id))?.goal).toMatchObject({ turns_used: 1, last_verdict: "done" });
  });
});

describe("retry, compress, concurrency, secrets", () => {
  it("retry takes the last turn out and starts it anew", async () => {
    await open();
    const first = await start("say One.");
    await ended(first.run_id);
    const retried = await host.controls.retry(first.session_id, null, "say Other.");
    expect(retried.ok).toBe(true);
    await until(async () => (await runsOf(first.session_id)).every((run) => run.terminal_state !== null));
    expect((await runsOf(first.session_id)).map((run) => texts(run).join(""))).toEqual(["Other."]);
  });

  it("compress refuses when there is nothing to sum up, and sums up what is old", async () => {
    await open();
    const first = await start("say One.");
    await ended(first.run_id);
    expect(await host.controls.compress(first.session_id, null)).toMatchObject({ ok: false, error: { code: "conflict" } });
    for (let index = 0; index < 4; index += 1) await ended((await start(`say Turn ${index}.`, first.session_id)).run_id);
    const compressed = await host.controls.compress(first.session_id, "names");
    if (!compressed.ok) throw new Error(compressed.error.message);
    const found = await ended(compressed.value.run_id);
    expect(found).toMatchObject({ source: "compress", message: null, status: "completed" });
    expect(found.parts.find((part) => part.type === "progress" && part.kind === "compressed")).toBeTruthy();
    expect(await ended((await start("say Still here.", first.session_id)).run_id)).toMatchObject({ status: "completed" });
  });

  it("more runs than slots wait in order, and can be cancelled", async () => {
    await open({ HERMES_MAX_CONCURRENT_RUNS: "1" });
    const first = await start("sleep 400\nsay One.");
    const second = await start("say Two.");
    const third = await start("say Three.");
    expect((await view(second.run_id)).status).toBe("queued");
    expect(await host.host.cancel(second.run_id, "Stopped.")).toMatchObject({ ok: true, value: { accepted: true } });
    expect(await ended(second.run_id)).toMatchObject({ status: "cancelled" });
    expect((await view(first.run_id)).status).toBe("running");
    expect(await ended(third.run_id)).toMatchObject({ status: "completed" });
    await lawful(second.run_id);
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
    host = await openTestHost({ folder, secrets: [secret], port });
    const { run_id } = await start("Write the key to a file.");
    const found = await ended(run_id);
    expect(JSON.stringify(await host.journal.readRunEvents(run_id, 0, 10_000))).not.toContain(secret);
    expect(found.parts.find((part) => part.type === "tool")).toMatchObject({ title: "printf [redacted] > out.txt", redacted: true, status: "ok" });
    expect(await readFile(join(folder, "workspace", "out.txt"), "utf8")).toBe(secret);
    expect(texts(found).join("")).toMatch(/\[redacted\]$/);
  });
});
