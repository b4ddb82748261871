import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as start } from "../../app/api/chat/start/route";
import { GET as list, POST as run } from "../../app/api/commands/route";
import { openRouteHarness, type RouteAnswer, type RouteHarness } from "#testing/route-harness";
import { until } from "#testing/until";
import { nearestName } from "./nearest-name";
import { parseCommand } from "./parse-command";

let harness: RouteHarness;
let session_id = "";
beforeEach(async () => {
  harness = await openRouteHarness();
  session_id = (await harness.server.sessions.create({ title: "Talk" })).session_id;
});
afterEach(() => harness.close());

const type = (text: string): Promise<RouteAnswer> => harness.call(run, { method: "POST", body: { session_id, text } });
const runsOf = (): ReturnType<typeof harness.server.sessions.runs> => harness.server.sessions.runs({ sessionId: session_id, limit: 50, before: null });

async function talk(message: string): Promise<string> {
  const { json } = await harness.call(start, { method: "POST", body: { session_id, message } });
  await until(async () => (await runsOf()).active_run_id === null);
  return String(json["stream_id"]);
}

describe("B261: what is a command", () => {
  test.each([
    ["/undo", "undo", ""],
    ["/UNDO 3", "undo", "3"],
    ["/title\u00a0My\u3000kite ", "title", "My\u3000kite"],
    ['/title "  spaced  "', "title", "spaced"],
    ["/title “quoted”", "title", "quoted"],
    [`/title "one" and "two"`, "title", `"one" and "two"`],
    ["/goal line one\nline two", "goal", "line one\nline two"],
  ])("%j is one", (text, word, argument) => {
    expect(parseCommand(text)).toEqual({ kind: "command", word, argument });
  });

  test.each(["/usr/bin/env is missing", " /undo", "\n/undo", "//", "/", "/ undo", "／undo", "undo", "/undo/back", "/123", "`/undo`", "/undo.", ""])("%j is text, and nothing is executed", async (text) => {
    expect(parseCommand(text)).toEqual({ kind: "text" });
    const before = await talk("say hi");
    expect(await type(text)).toMatchObject({ status: 400, json: { error: { code: "invalid_request", message: expect.stringContaining("send it as a message") } } });
    expect((await runsOf()).runs[0]).toMatchObject({ run_id: before });
  });

  test("an unknown word names the nearest command and runs nothing", async () => {
    expect((await type("/unod")).json).toMatchObject({ error: { code: "invalid_request", message: expect.stringContaining("/undo") } });
    expect((await type("/unknowncmd x")).json).toMatchObject({ error: { message: "There is no command /unknowncmd. /help lists what there is." } });
    expect([nearestName("titel", ["title", "retry"]), nearestName("comp", ["compress"]), nearestName("qqq", ["title"])]).toEqual(["title", "compress", null]);
  });
});

describe("commands", () => {
  test("are listed with what can be used now", async () => {
    const idle = (await harness.call(list)).json;
    const names = (idle["commands"] instanceof Array ? idle["commands"] : []).map((command: { name: string }) => command.name);
    expect(names).toEqual(
      "help new clear retry undo branch compress title model profile workspace goal queue steer interrupt stop status usage yolo reasoning export".split(" "),
    );
    await harness.call(start, { method: "POST", body: { session_id, message: "sleep 60000" } });
    const busy = (await harness.call(list, { path: `/?session_id=${session_id}` })).json;
    expect(busy).toMatchObject({ commands: expect.arrayContaining([expect.objectContaining({ name: "undo", available: false, reason: expect.any(String) }), expect.objectContaining({ name: "stop", available: true })]) });
    for (const text of ["/undo", "/retry", "/branch", "/compress"]) expect(await type(text)).toMatchObject({ status: 409, json: { error: { code: "run_active" } } });
    expect((await type("/stop")).json).toMatchObject({ ok: true, name: "stop", data: { cancelled: true } });
    await until(async () => (await runsOf()).active_run_id === null);
    expect((await type("/stop")).json).toMatchObject({ ok: true, message: "Nothing is running." });
  });

  test("undo, back, retry and branch do what their routes do", async () => {
    const first = await talk("say one");
    await talk("say two");
    expect((await type("/undo")).json).toMatchObject({ ok: true, name: "undo" });
    expect((await type("/undo back")).json).toMatchObject({ ok: true, message: expect.stringContaining("brought back") });
    expect(await type("/undo soon")).toMatchObject({ status: 400 });
    expect((await type("/undo 99")).json).toMatchObject({ message: expect.stringContaining("2 turns") });
    expect(await type("/undo")).toMatchObject({ status: 409, json: { error: { code: "conflict" } } });
    await type("/undo back");
    const branched = (await type("/branch Elsewhere")).json;
    expect(await harness.server.sessions.read(String(branched["session_id"]))).toMatchObject({ title: "Elsewhere", parent_session_id: session_id });
    const retried = (await type("/retry")).json;
    expect(retried["stream_id"]).toMatch(/^run_/);
    await until(async () => (await runsOf()).active_run_id === null);
    expect((await runsOf()).runs.map((each) => each.run_id)).toContain(first);
  });

  test("settings are told without an argument and changed with one", async () => {
    expect((await type("/title")).json).toMatchObject({ message: expect.stringContaining("Talk") });
    expect((await type("/title Kites")).json).toMatchObject({ data: { title: "Kites" } });
    expect((await type("/model")).json).toMatchObject({ message: "The model is demo/demo." });
    expect((await type("/model demo/demo")).json).toMatchObject({ data: { provider: "demo", model: "demo" } });
    expect(await type("/model nobody")).toMatchObject({ status: 400, json: { error: { code: "invalid_request" } } });
    expect((await type("/profile")).json).toMatchObject({ data: { profile: "default" } });
    expect(await type("/profile nobody")).toMatchObject({ status: 400, json: { error: { code: "invalid_request" } } });
    expect((await type("/workspace")).json).toMatchObject({ data: { workspace: expect.stringContaining("workspace") } });
    expect(await type("/workspace relative")).toMatchObject({ status: 400 });
    expect((await type("/reasoning high")).json).toMatchObject({ data: { reasoning: "high" } });
    expect((await type("/reasoning")).json).toMatchObject({ data: { reasoning: "high" } });
    expect(await type("/reasoning very")).toMatchObject({ status: 400 });
    expect((await type("/yolo")).json).toMatchObject({ data: { yolo_enabled: true } });
    expect((await type("/yolo off")).json).toMatchObject({ data: { yolo_enabled: false } });
    expect((await type("/goal")).json).toMatchObject({ name: "goal", data: { goal: null } });
    for (const text of ["/help", "/clear", "/status", "/usage", "/export html"]) expect((await type(text)).status).toBe(200);
    const made = (await type("/new")).json;
    expect(await harness.server.sessions.read(String(made["session_id"]))).toMatchObject({ title: "New session" });
  });

  test("a message to an idle session starts, to a busy one waits", async () => {
    expect((await type("/queue say hi")).json).toMatchObject({ name: "queue", message: "Sent.", stream_id: expect.stringMatching(/^run_/) });
    await until(async () => (await runsOf()).active_run_id === null);
    expect(await type("/steer")).toMatchObject({ status: 400 });
    await harness.call(start, { method: "POST", body: { session_id, message: "sleep 60000" } });
    expect((await type("/queue say later")).json).toMatchObject({ message: "Queued.", data: { status: "queued" } });
    await type("/stop");
  });
});
