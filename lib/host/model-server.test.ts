/** Stories of runs whose model answers oddly, late or not at all: what the person sees, and what the model is told next. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPrompts } from "#fold/open-work";
import type { RunView } from "#protocol/run-view";
import { callReply, deltaChunk, errorReply, frame, rawReply, silentReply, textReply, type Reply } from "#testing/model-replies";
import { until } from "#testing/until";
import { texts } from "./host-story.fixture";
import { openModelServerStory, rawCallReply, type AskedMessage, type ModelServerStory } from "./model-server-story.fixture";

let story: ModelServerStory;
beforeEach(async () => {
  story = await openModelServerStory();
});
afterEach(() => story.close());

function tools(view: RunView) {
  return view.parts.flatMap((part) => (part.type === "tool" ? [part] : []));
}

function idsOf(messages: readonly AskedMessage[]): { readonly calls: readonly string[]; readonly results: readonly string[] } {
  return { calls: messages.flatMap((message) => (message.tool_calls ?? []).map((call) => call.id)), results: messages.flatMap((message) => message.tool_call_id ?? []) };
}

async function turn(message: string, sessionId: string | null = null): Promise<RunView> {
  const { run_id } = await story.start(message, sessionId);
  return story.ended(run_id);
}

describe("calls", () => {
  it("with the id that the provider used in the turn before are cards of their own, each with its own output (B035)", async () => {
    const echo = (word: string): Reply => callReply([{ name: "terminal", arguments: { command: `echo ${word}` }, id: "call_0" }]);
    story.answer([echo("one"), textReply("first"), echo("two"), textReply("second")]);
    const first = await turn("go");
    const second = await turn("again", first.session_id);
    expect([first, second].map((view) => tools(view).map((tool) => tool.stdout))).toEqual([["one\n"], ["two\n"]]);
    expect(tools(first)[0]?.tool_call_id).not.toBe(tools(second)[0]?.tool_call_id);
    const { calls, results } = idsOf(story.asked().at(-1)?.messages ?? []);
    expect([new Set(calls).size, results]).toEqual([2, calls]);
  });

  it("without any id get one that their result bears (B130)", async () => {
    story.answer([rawCallReply([{ name: "terminal", raw: '{"command":"echo x"}' }]), textReply("done")]);
    expect(await turn("go")).toMatchObject({ terminal_state: "completed" });
    const { calls, results } = idsOf(story.asked().at(-1)?.messages ?? []);
    expect(calls).toEqual([expect.stringMatching(/./)]);
    expect(results).toEqual(calls);
  });

  it("that waited for a person while the page was loaded anew are told once, with one result (B036)", async () => {
    story.answer([callReply([{ name: "terminal", arguments: { command: "rm -rf nothing-there" } }, { name: "terminal", arguments: { command: "echo plain" } }]), textReply("done")]);
    const { run_id } = await story.start("go");
    await until(async () => openPrompts(await story.view(run_id)).length === 1);
    const looks = [await story.view(run_id), await story.view(run_id)];
    expect(looks[1]).toEqual(looks[0]);
    const [prompt] = openPrompts(looks[0] ?? (await story.view(run_id)));
    await story.host.host.respondApproval(run_id, prompt?.type === "approval" ? prompt.approval_id : "", "once");
    await story.ended(run_id);
    const { calls, results } = idsOf(story.asked().at(-1)?.messages ?? []);
    expect(calls).toHaveLength(2);
    expect(new Set(calls).size).toBe(2);
    expect(results).toEqual(calls);
    expect(story.asked()).toHaveLength(2);
  });

  it("of no tool, or with arguments that cannot be read, fail for themselves, and the run goes on (B204)", async () => {
    story.answer([rawCallReply([{ id: "a", name: "nope", raw: "{}" }, { id: "b", name: "read_file", raw: '{"path":' }]), textReply("I go on.")]);
    const view = await turn("go");
    expect(view).toMatchObject({ terminal_state: "completed" });
    expect(tools(view).map((tool) => [tool.status, tool.result])).toEqual([["error", "There is no tool named nope."], ["error", expect.stringContaining("JSON object")]]);
    expect(texts(view)).toEqual(["I go on."]);
    const told = story.asked().at(-1)?.messages.filter((message) => message.role === "tool");
    expect(told?.map((message) => message.content)).toEqual(tools(view).map((tool) => tool.result));
  });
});

describe("a stop", () => {
  it("that the model answers late changes nothing of the stopped turn, and nothing of the next (B043)", async () => {
    const late = rawReply([frame(deltaChunk({ content: "Quartz" })), frame(deltaChunk({ content: " lamp" })), { kind: "pause", ms: 600 }, frame(deltaChunk({ content: " too late" }, "stop"))]);
    story.answer([late, textReply("the next answer")]);
    const { run_id, session_id } = await story.start("first");
    await until(async () => texts(await story.view(run_id)).join("") === "Quartz lamp");
    expect(await story.host.host.cancel(run_id, "Stopped.")).toMatchObject({ ok: true, value: { accepted: true } });
    let next = "";
    await until(async () => {
      const started = await story.host.host.start({ session_id, message: "second" });
      if (started.ok) next = started.value.run_id;
      return started.ok;
    });
    await story.ended(next);
    await story.server.chats[0]?.closed;
    const runs = await story.runsOf(session_id);
    expect(runs.map((run) => [run.message?.text, texts(run).join(""), run.terminal_state])).toEqual([["first", "Quartz lamp", "cancelled"], ["second", "the next answer", "completed"]]);
  });

  it("closes the model's connection within two seconds (B050)", async () => {
    story.answer([rawReply([frame(deltaChunk({ content: "w1" })), { kind: "hold" }])]);
    const { run_id } = await story.start("talk");
    await until(async () => texts(await story.view(run_id)).length === 1);
    const asked = performance.now();
    await story.host.host.cancel(run_id, "Stopped.");
    expect(await story.server.chats[0]?.closed).toBe("client");
    expect(performance.now() - asked).toBeLessThan(2_000);
  });
});

describe("usage", () => {
  it("of two steps is their sum, told once at the end (B268)", async () => {
    story.answer([rawCallReply([{ id: "a", name: "terminal", raw: '{"command":"true"}' }], [100, 10]), textReply("done", { usage: { prompt_tokens: 150, completion_tokens: 20 } })]);
    const view = await turn("go");
    expect(view.usage).toMatchObject({ input_tokens: 250, output_tokens: 30, context_tokens: 170 });
    const totals = (await story.lawful(view.run_id)).flatMap((event) => (event.type === "usage.final" ? [[event.payload.input_tokens, event.payload.output_tokens]] : []));
    expect(totals).toEqual([[250, 30]]);
  });
});

describe("a title", () => {
  const titleOf = async (sessionId: string): Promise<readonly unknown[]> => {
    const { rows } = await story.host.database.execute({ sql: "SELECT title, title_source FROM sessions WHERE session_id = ?", args: [sessionId] });
    return [rows[0]?.["title"], rows[0]?.["title_source"]];
  };
  const toldTitles = async (sessionId: string): Promise<readonly unknown[]> =>
    (await story.host.journal.readSessionLog(sessionId)).flatMap((event) => (event.type === "title.updated" ? [[event.payload.title, event.payload.source]] : []));

  it("is the model's once it is clean, and the person's words until then (B263)", async () => {
    story.answer([textReply("It flies.")], () => textReply('<think>what is it?</think>Title: "Red kite"'));
    const { session_id } = await turn("Tell me about the red kite, please.");
    await until(async () => (await titleOf(session_id))[1] === "model");
    expect(await titleOf(session_id)).toEqual(["Red kite", "model"]);
    expect(await toldTitles(session_id)).toEqual([["Tell me about the red kite, please.", "fallback"], ["Red kite", "model"]]);
  });

  it.each<readonly [string, Reply]>([
    ["hangs", silentReply()],
    ["fails with 500", errorReply(500, { message: "down" })],
    ["only thinks", rawReply([frame(deltaChunk({ reasoning_content: "hm" })), frame(deltaChunk({}, "length"))])],
    ["is cut before its thought is over", rawReply([frame(deltaChunk({ content: "<think>on and on" })), frame(deltaChunk({}, "length"))])],
  ])("whose request %s holds nothing up: the turn is done, the next begins, the cut of the words stays (B263, B267)", async (_how, reply) => {
    story.answer([textReply("It flies.")], () => reply);
    const began = performance.now();
    const { run_id, session_id, terminal_state } = await turn("Tell me about the red kite.");
    expect(terminal_state).toBe("completed");
    expect(await turn("And then?", session_id)).toMatchObject({ terminal_state: "completed" });
    expect(performance.now() - began).toBeLessThan(5_000);
    await until(() => story.server.chats.length >= 3);
    expect(await titleOf(session_id)).toEqual(["Tell me about the red kite.", "fallback"]);
    expect(await toldTitles(session_id)).toEqual([["Tell me about the red kite.", "fallback"]]);
    await story.lawful(run_id);
  });

  it("that comes after the person named the session changes nothing (B265)", async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    story.answer([textReply("It flies.")], () => rawReply([{ kind: "until", promise: held }, ...textReply("Red kite").steps]));
    const { session_id } = await turn("Tell me about the red kite.");
    await until(() => story.server.chats.length === 2);
    await story.host.journal.transact([
      { sql: "UPDATE sessions SET title = 'Mine', title_source = 'user' WHERE session_id = ?", args: [session_id] },
      ...story.host.journal.sessionLogStatements(session_id, { type: "title.updated", payload: { title: "Mine", source: "user", confidence: 1 } }),
    ]);
    answer();
    await story.server.chats[1]?.closed;
    expect(await turn("And then?", session_id)).toMatchObject({ terminal_state: "completed" });
    expect(await titleOf(session_id)).toEqual(["Mine", "user"]);
    expect(await toldTitles(session_id)).toEqual([["Tell me about the red kite.", "fallback"], ["Mine", "user"]]);
  });
});

describe("what was taken back", () => {
  it("is in no later request (B259)", async () => {
    story.answer([textReply("about kites"), textReply("about lamps"), textReply("about ropes")]);
    const first = await turn("question one");
    const second = await turn("question two", first.session_id);
    // What an undo leaves.
    await story.host.database.execute({ sql: "UPDATE runs SET rewind = 1 WHERE run_id = ?", args: [second.run_id] });
    await turn("question three", first.session_id);
    const told = JSON.stringify(story.asked().at(-1));
    expect(told).toContain("question one");
    expect(told).not.toMatch(/question two|about lamps/);
  });
});

describe("a compression that fails", () => {
  it.each<readonly [string, Reply]>([
    ["is answered with 500", errorReply(500, { message: "down" })],
    ["is answered without a word", textReply("")],
    ["is only thought about", rawReply([frame(deltaChunk({ reasoning_content: "They said" })), frame(deltaChunk({}, "stop"))])],
    ["is stopped", silentReply()],
  ])("because it %s changes nothing, says so, and keeps what was sent meanwhile (B255)", async (how, summary) => {
    let begin = (): void => undefined;
    const asked = new Promise<void>((resolve) => (begin = resolve));
    let goOn = (): void => undefined;
    const told = new Promise<void>((resolve) => (goOn = resolve));
    story.answer([textReply("an answer")], (task) => {
      if (task !== "Hermes compression") return textReply("A title");
      begin();
      return { ...summary, steps: [{ kind: "until", promise: told }, ...summary.steps] };
    });
    const { session_id } = await turn("question 1");
    for (let count = 2; count <= 5; count += 1) await turn(`question ${count}`, session_id);
    const before = story.asked().at(-1)?.messages.slice(1) ?? [];
    const compressed = await story.host.controls.compress(session_id, null);
    if (!compressed.ok) throw new Error(compressed.error.message);
    await asked;
    expect(await story.host.controls.queueMessage(session_id, { message: "sent meanwhile", mode: "queue" })).toMatchObject({ ok: true, value: { status: "queued" } });
    goOn();
    if (how === "is stopped") await story.host.host.cancel(compressed.value.run_id, "Stopped.");
    const ended = await story.ended(compressed.value.run_id);
    expect(ended).toMatchObject(how === "is stopped" ? { terminal_state: "cancelled" } : { terminal_state: "failed", error: { message: expect.stringContaining("Nothing changed.") } });
    await story.host.controls.resumeQueue(session_id);
    await until(async () => (await story.runsOf(session_id)).at(-1)?.message?.text === "sent meanwhile");
    await until(async () => (await story.runsOf(session_id)).at(-1)?.terminal_state === "completed");
    const after = story.asked().at(-1)?.messages.slice(1) ?? [];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(JSON.stringify(after)).toContain("sent meanwhile");
    expect(JSON.stringify(after)).not.toContain("Summary");
  });
});

describe("a key that a command prints", () => {
  it("is in no event, no row, no file of the database and no later request (B205)", async () => {
    const key = "sk-canary-7Q2xV9bKp4mT1";
    await story.close();
    story = await openModelServerStory({ secrets: [key] });
    story.answer([callReply([{ name: "terminal", arguments: { command: `printf '%s' 'sk-canary-'; sleep 0.1; echo 7Q2xV9bKp4mT1` } }]), textReply("done")]);
    const view = await turn("print it");
    expect(tools(view)[0]).toMatchObject({ status: "ok", stdout: expect.stringContaining("[redacted]") });
    expect(JSON.stringify(await story.lawful(view.run_id))).not.toContain(key);
    expect(JSON.stringify(story.asked())).not.toContain(key);
    for (const file of ["hermes.db", "hermes.db-wal"]) expect((await readFile(join(story.folder, file))).includes(key), file).toBe(false);
  });
});
