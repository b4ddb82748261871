/** Stories of what waits for a person: prompts that run out, that stand in a child, that are answered late; queues that are held; goals that ask. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openPrompts } from "#fold/open-work";
import { callReply, textReply } from "#testing/model-replies";
import { openTestHost } from "#testing/test-host";
import { until } from "#testing/until";
import { openStory, texts, type HostStory } from "./host-story.fixture";
import { openModelServerStory, taskOf, type ModelServerStory } from "./model-server-story.fixture";

let story: HostStory;

afterEach(() => story.close());

const clarifyOf = async (runId: string): Promise<string> => {
  const [prompt] = openPrompts(await story.view(runId));
  return prompt?.type === "clarify" ? prompt.clarify_id : "";
};
const goalOf = async (sessionId: string) => (await story.host.host.rows.session(sessionId))?.goal;

describe("a question", () => {
  it("that ran out takes no answer, and gives none to the question that stands there now (B076)", async () => {
    story = await openStory({ env: { HERMES_CLARIFY_TIMEOUT_S: "2" } });
    const { run_id } = await story.start("ask One? | red\n\nask Two? | blue");
    await until(async () => (await clarifyOf(run_id)) !== "");
    const first = await clarifyOf(run_id);
    await until(async () => !["", first].includes(await clarifyOf(run_id)));
    expect(await story.host.host.respondClarify(run_id, first, { response: "meant for one" })).toMatchObject({ ok: true, value: { accepted: false, status: "not-active" } });
    const view = await story.ended(run_id);
    expect(view.parts.flatMap((part) => (part.type === "clarify" ? [part.status] : []))).toEqual(["expired", "expired"]);
    expect(JSON.stringify(view)).not.toContain("meant for one");
  });

  it("that is answered repeats nothing that came before it, and its second answer is late (B078)", async () => {
    story = await openStory();
    const { run_id } = await story.start("run echo once >> count.txt\n\nask Go on? | yes | no\n\nsay Thanks.");
    await until(async () => (await clarifyOf(run_id)) !== "");
    const id = await clarifyOf(run_id);
    expect(await story.host.host.respondClarify(run_id, id, { response: "yes" })).toMatchObject({ ok: true, value: { accepted: true } });
    expect(await story.host.host.respondClarify(run_id, id, { response: "no" })).toMatchObject({ ok: true, value: { accepted: false, status: "not-active" } });
    const view = await story.ended(run_id);
    expect(await readFile(join(story.folder, "workspace", "count.txt"), "utf8")).toBe("once\n");
    const asked = view.parts.find((part) => part.type === "tool" && part.name === "clarify");
    expect(asked).toMatchObject({ result: expect.stringContaining("yes") });
    expect(asked).not.toMatchObject({ result: expect.stringContaining("no\n") });
  });
});

describe("an approval that nobody sees", () => {
  it("in a child's session is told of in its parent's at once, runs out as denied, and the parent goes on (B069)", async () => {
    const served: ModelServerStory = await openModelServerStory({ env: { HERMES_APPROVAL_TIMEOUT_S: "2" } });
    story = served;
    served.answer([
      callReply([{ name: "delegate_task", arguments: { goal: "clean up" } }]),
      callReply([{ name: "terminal", arguments: { command: "rm -rf folder" } }]),
      textReply("The child may not."),
      textReply("Then not."),
    ]);
    const { run_id } = await story.start("go");
    let child: { readonly session_id: string; readonly run_id: string } | null = null;
    await until(async () => {
      const live = story.host.host.liveRuns().find((run) => run.run_id !== run_id && openPrompts(run.view()).length === 1);
      child = live === undefined ? child : { session_id: live.request.session_id, run_id: live.run_id };
      return child !== null;
    });
    const { session_id: childSession, run_id: childRun } = child ?? { session_id: "", run_id: "" };
    expect(await story.view(childRun)).toMatchObject({ status: "awaiting_approval" });
    await until(async () => (await story.view(run_id)).parts.some((part) => part.type === "tool" && part.status === "running"));
    expect((await story.view(run_id)).parts).toMatchObject([{ type: "tool", data: { kind: "delegate", session_id: childSession, run_id: childRun } }]);
    const ended = await story.ended(run_id);
    expect((await story.view(childRun)).parts).toMatchObject([{ type: "tool", status: "denied" }, { type: "approval", status: "expired" }, { type: "text" }]);
    expect(ended).toMatchObject({ terminal_state: "completed" });
    expect(texts(ended)).toEqual(["Then not."]);
  });
});

describe("a queue", () => {
  it("is held when its turn fails, in its order, and runs when the person goes on (B084)", async () => {
    story = await openStory();
    const { run_id, session_id } = await story.start("sleep 200\nfail 500");
    for (const message of ["say Two.", "say Three."]) await story.host.controls.queueMessage(session_id, { message, mode: "queue" });
    expect(await story.ended(run_id)).toMatchObject({ terminal_state: "failed" });
    expect((await story.host.host.rows.session(session_id))?.queue_held).toBe("failed");
    expect((await story.host.host.rows.queue(session_id)).map((row) => row.message)).toEqual(["say Two.", "say Three."]);
    expect(await story.runsOf(session_id)).toHaveLength(1);
    await story.host.controls.resumeQueue(session_id);
    await until(async () => (await story.runsOf(session_id)).filter((run) => run.terminal_state === "completed").length === 2);
    expect((await story.runsOf(session_id)).map((run) => texts(run).join(""))).toEqual(["", "Two.", "Three."]);
  });
});

describe("a background process", () => {
  it("that ends after its run is a turn of its own session, once, and of no other (B105)", async () => {
    const served: ModelServerStory = await openModelServerStory();
    story = served;
    served.answer([callReply([{ name: "terminal", arguments: { command: "until [ -e go ]; do sleep 0.02; done; echo it is built", background: true } }]), textReply("It runs."), textReply("I saw it.")]);
    const { run_id, session_id } = await story.start("build it");
    await story.ended(run_id);
    const other = await story.start("something else");
    await story.ended(other.run_id);
    await writeFile(join(story.folder, "workspace", "go"), "");
    await until(async () => (await story.runsOf(session_id)).length === 2 && (await story.runsOf(session_id)).every((run) => run.terminal_state !== null));
    expect((await story.runsOf(session_id))[1]).toMatchObject({ source: "process", message: { text: expect.stringContaining("it is built") } });
    expect((await story.runsOf(other.session_id)).map((run) => run.source)).toEqual(["webui"]);
  });
});

describe("a goal", () => {
  it("whose turn asks the person is not done meanwhile, and goes on when it is answered (B093)", async () => {
    story = await openStory();
    const { session_id, run_id: first } = await story.start("say Hello.");
    await story.ended(first);
    await story.host.controls.updateGoal(session_id, "set", "ask Which way? | left | right\njudge continue");
    const asking = story.host.host.liveRunOf(session_id)?.run_id ?? "";
    await until(async () => (await clarifyOf(asking)) !== "");
    expect(await goalOf(session_id)).toMatchObject({ status: "active", turns_used: 0, last_verdict: null });
    expect(await story.runsOf(session_id)).toHaveLength(2);
    await story.host.host.respondClarify(asking, await clarifyOf(asking), { response: "left" });
    expect(await story.ended(asking)).toMatchObject({ terminal_state: "completed" });
    await until(async () => (await story.runsOf(session_id)).length === 3);
    expect(await goalOf(session_id)).toMatchObject({ status: "active", turns_used: 1, last_verdict: "continue" });
    await story.host.controls.updateGoal(session_id, "pause", null);
    await story.host.host.cancel((await story.runsOf(session_id))[2]?.run_id ?? "", "Stopped.");
  });

  it("that was stopped asks no model any more, also after its owner began anew, until it is resumed (B090)", async () => {
    const served: ModelServerStory = await openModelServerStory();
    story = served;
    served.answer([textReply("working")], (task) => textReply(task === "Hermes goal judge" ? '{"verdict":"continue","reason":"more"}' : "A title"));
    const { session_id, run_id: first } = await story.start("Hello.");
    await story.ended(first);
    await story.host.controls.updateGoal(session_id, "set", "finish it");
    await until(async () => (await goalOf(session_id))?.turns_used === 2);
    await until(async () => {
      const live = story.host.host.liveRunOf(session_id);
      const stopped = live === undefined ? null : await story.host.host.cancel(live.run_id, "Stopped.");
      return stopped?.ok === true && stopped.value.accepted;
    });
    await until(async () => (await goalOf(session_id))?.status === "paused");
    await until(() => story.host.host.liveRunOf(session_id) === undefined);
    const asked = served.server.chats.length;
    const runs = (await story.runsOf(session_id)).length;
    const { folder } = story;
    await story.host.shut();
    const next = await openTestHost({ folder, port: served.port });
    try {
      // What recovery would start is started when the host is open; the person's own message is next.
      expect(next.host.liveRunOf(session_id)).toBeUndefined();
      expect(served.server.chats).toHaveLength(asked);
      expect(await next.host.rows.views(session_id, null)).toHaveLength(runs);
      expect(await next.controls.updateGoal(session_id, "resume", null)).toMatchObject({ ok: true, value: { goal: { status: "active", turns_used: 0 }, started: { session_id } } });
      await until(async () => ((await next.host.rows.session(session_id))?.goal?.turns_used ?? 0) >= 1);
      await next.controls.updateGoal(session_id, "pause", null);
      await until(() => next.host.liveRunOf(session_id) === undefined);
    } finally {
      await next.shut();
    }
  });

  it("asks its session's own model in every turn, and touches no other session's goal (B094)", async () => {
    const served: ModelServerStory = await openModelServerStory();
    story = served;
    let judged = 0;
    served.answer([textReply("working")], (task) => textReply(task === "Hermes goal judge" ? `{"verdict":"${(judged += 1) < 3 ? "continue" : "done"}"}` : "A title"));
    const sessions: string[] = [];
    for (const text of ["one", "two"]) {
      const { session_id, run_id } = await story.start(text);
      await story.ended(run_id);
      sessions.push(session_id);
    }
    const [here = "", there = ""] = sessions;
    await story.host.database.execute({ sql: "UPDATE sessions SET goal = ? WHERE session_id = ?", args: [JSON.stringify({ ...PAUSED, goal: "theirs" }), there] });
    await story.host.database.execute({ sql: "UPDATE sessions SET model = 'm2' WHERE session_id = ?", args: [here] });
    const before = served.server.chats.length;
    await story.host.controls.updateGoal(here, "set", "finish it");
    await until(async () => (await goalOf(here))?.status === "done");
    const models = served.server.chats.slice(before).filter((request) => taskOf(request) !== "Hermes title").map((request) => /"model":"(\w+)"/.exec(JSON.stringify(request.body))?.[1]);
    expect(models).toHaveLength(6);
    expect(new Set(models)).toEqual(new Set(["m2"]));
    expect(await goalOf(there)).toMatchObject({ goal: "theirs", status: "paused", turns_used: 4 });
    expect(await story.runsOf(there)).toHaveLength(1);
  });
});

const PAUSED = { status: "paused", turns_used: 4, max_turns: 20, last_verdict: null, last_reason: null, judge_failures: 0 };
