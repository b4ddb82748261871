import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as respondApproval } from "../../app/api/approval/respond/route";
import { GET as pendingApproval } from "../../app/api/approval/pending/route";
import { POST as cancel } from "../../app/api/chat/cancel/route";
import { POST as start } from "../../app/api/chat/start/route";
import { GET as stream } from "../../app/api/chat/stream/route";
import { GET as status } from "../../app/api/chat/stream/status/route";
import { POST as respondClarify } from "../../app/api/clarify/respond/route";
import { GET as pendingClarify } from "../../app/api/clarify/pending/route";
import { GET as readQueue, POST as queue, DELETE as unqueue } from "../../app/api/queue/route";
import { DELETE as remove, GET as open } from "../../app/api/sessions/[id]/route";
import { AppError } from "#protocol/errors";
import type { Runtime } from "#runtime/runtime-adapter";
import { openRouteHarness, type RouteAnswer, type RouteHarness } from "#testing/route-harness";
import { until } from "#testing/until";

let harness: RouteHarness;
beforeEach(async () => {
  harness = await openRouteHarness();
});
afterEach(() => harness.close());

const post = (handler: typeof start, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<RouteAnswer> =>
  harness.call(handler, { method: "POST", path: "/api/chat/start", body, headers });
const statusOf = async (runId: unknown): Promise<Readonly<Record<string, unknown>>> =>
  (await harness.call(status, { path: `/api/chat/stream/status?stream_id=${String(runId)}` })).json;

async function streamText(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await harness.send(stream, { path, headers })).text();
}

function idsOf(text: string): readonly number[] {
  return [...text.matchAll(/^id: run_\w+:(\d+)$/gm)].map((match) => Number(match[1]));
}

describe("a chat over its routes", () => {
  test("start answers exactly its keys, with the model only when nobody named it", async () => {
    const plain = await post(start, { message: "say hello" });
    expect(Object.keys(plain.json).sort()).toEqual(["effective_model", "effective_model_provider", "pending_started_at", "session_id", "stream_id", "title", "turn_id"]);
    for (const named of [{ model: "demo/practice" }, { provider: "demo", model: "practice" }, { model: "practice" }]) {
      const { json } = await post(start, { message: "say hello", ...named });
      expect([Object.keys(json).sort(), named]).toEqual([["pending_started_at", "session_id", "stream_id", "title", "turn_id"], named]);
    }
  });

  test("B033: a hundred equal posts with one key are one run, another body is a conflict", async () => {
    const body = { message: "say once", client_message_id: "key-1" };
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(start, body)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.json))).size).toBe(1);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const { rows } = await harness.server.database.execute("SELECT COUNT(*) AS count FROM runs");
    expect(rows[0]?.["count"]).toBe(1);
    expect((await post(start, { ...body, message: "say twice" })).json).toMatchObject({ error: { code: "idempotency_conflict" } });
    // The header beats the field, and the field is no part of the body that is compared.
    expect((await post(start, { message: "say once" }, { "idempotency-key": "key-1" })).json).toEqual(answers[0]?.json);
  });

  test("a start that crashed before its answer was kept is the same run when it is repeated", async () => {
    const body = { message: "say once", client_message_id: "key-2" };
    const first = await post(start, body);
    await harness.server.database.execute({
      sql: "UPDATE idempotency SET status = 0, answer = ? WHERE key = 'key-2'",
      args: [String(first.json["stream_id"])],
    });
    expect((await post(start, body)).json).toEqual(first.json);
  });

  test("of two starts at one instant one wins, the other is told which", async () => {
    const { json } = await post(start, { message: "say hello" });
    const session_id = json["session_id"];
    await until(async () => (await statusOf(json["stream_id"]))["status"] === "completed");
    const answers = await Promise.all([1, 2, 3].map(() => post(start, { session_id, message: "sleep 300" })));
    const winner = answers.filter((answer) => answer.status === 200);
    expect(winner).toHaveLength(1);
    for (const loser of answers.filter((answer) => answer.status !== 200)) {
      expect(loser).toMatchObject({ status: 409, json: { error: { code: "run_active", active_stream_id: winner[0]?.json["stream_id"] } } });
    }
  });

  test("B003 and B004: every way to say from the start, and every cursor that is none", async () => {
    const { json } = await post(start, { message: "say one two three" });
    const id = String(json["stream_id"]);
    const whole = idsOf(await streamText(`/api/chat/stream?stream_id=${id}`));
    expect(whole).toEqual(Array.from({ length: whole.length }, (_, index) => index + 1));
    const path = `/api/chat/stream?stream_id=${id}`;
    for (const query of ["&after_seq=", "&after_seq=0", "&after_event_id=", "&after_event_id=0"]) expect(idsOf(await streamText(path + query))).toEqual(whole);
    const last = whole.length;
    expect(idsOf(await streamText(`${path}&after_seq=${last - 1}`))).toEqual([last]);
    expect(idsOf(await streamText(path, { "last-event-id": `${id}:${last - 1}` }))).toEqual([last]);
    for (const request of [{ path: `${path}&after_seq=${last}` }, { path, headers: { "last-event-id": `${id}:${last}` } }]) {
      expect((await harness.send(stream, request)).status).toBe(204);
    }
    // The query beats the header by presence.
    expect(idsOf(await streamText(`${path}&after_seq=`, { "last-event-id": `${id}:${last}` }))).toEqual(whole);
    const odd = ["abc", "-1", "1e3", "5.5", "run_other:5", `${id}:5:6`, "9".repeat(40), `${id}:${last + 1}`, "%00", `${id}:`];
    for (const cursor of odd) {
      for (const query of [`&after_event_id=${encodeURIComponent(cursor)}`, `&after_seq=${encodeURIComponent(cursor)}`]) {
        const text = await streamText(path + query);
        expect(text.indexOf("event: reset")).toBeGreaterThan(0);
        expect([query, idsOf(text)]).toEqual([query, whole]);
      }
    }
  });

  test("an approval is answered once, by its session only, with a choice that was offered (B058)", async () => {
    const { json } = await post(start, { message: "run rm -rf build" });
    const [session_id, id] = [String(json["session_id"]), json["stream_id"]];
    await until(async () => (await statusOf(id))["status"] === "awaiting_approval");
    const asked = (await harness.call(pendingApproval, { path: `/api/approval/pending?session_id=${session_id}` })).json;
    expect(asked).toMatchObject({ pending_count: 1, pending: { command: expect.stringContaining("rm -rf build"), choices: expect.arrayContaining(["once", "deny"]) } });
    const approval_id = (await statusOf(id))["pending_approval_id"];
    const other = (await post(start, { message: "say hi" })).json["session_id"];

    const late = { status: 409, json: { ok: false, error: { code: "not_active" } } };
    expect(await post(respondApproval, { session_id: other, approval_id, choice: "once" })).toMatchObject(late);
    expect(await post(respondApproval, { session_id, approval_id: "apr_none", choice: "once" })).toMatchObject(late);
    expect(await post(respondApproval, { session_id: "ses_none", approval_id, choice: "once" })).toMatchObject(late);
    expect(await post(respondApproval, { session_id, choice: "once" })).toMatchObject({ status: 400, json: { error: { code: "invalid_request", issues: [{ path: "approval_id" }] } } });
    expect(await post(respondApproval, { session_id, approval_id: "", choice: "once" })).toMatchObject({ status: 400, json: { error: { code: "invalid_request" } } });
    expect(approval_id).toMatch(/^apr_\w+$/);
    expect(await post(respondApproval, { session_id, approval_id, choice: "perhaps" })).toMatchObject({ status: 400 });
    expect((await statusOf(id))["status"]).toBe("awaiting_approval");

    expect(await post(respondApproval, { session_id, approval_id, choice: "deny" })).toMatchObject({ status: 200, json: { ok: true, choice: "deny" } });
    expect(await post(respondApproval, { session_id, approval_id, choice: "once" })).toMatchObject(late);
    await until(async () => (await statusOf(id))["status"] === "completed");
  });

  test("a question is answered by free text or by id, and a late answer changes nothing", async () => {
    const { json } = await post(start, { message: "ask Which? | red | blue" });
    const [session_id, id] = [String(json["session_id"]), json["stream_id"]];
    await until(async () => (await statusOf(id))["status"] === "awaiting_clarify");
    const asked = (await harness.call(pendingClarify, { path: `/api/clarify/pending?session_id=${session_id}` })).json;
    expect(asked).toMatchObject({ pending_count: 1, pending: { question: "Which?", choices: ["red", "blue"] } });
    const clarify_id = (await statusOf(id))["pending_clarify_id"];
    expect(await post(respondClarify, { session_id, clarify_id })).toMatchObject({ status: 400, json: { error: { code: "invalid_request" } } });
    expect(await post(respondClarify, { session_id, clarify_id, response: "red" })).toMatchObject({ status: 200, json: { ok: true, response: "red" } });
    expect(await post(respondClarify, { session_id, clarify_id, response: "blue" })).toMatchObject({ status: 409, json: { ok: false, error: { code: "not_active" } } });
    await until(async () => (await statusOf(id))["status"] === "completed");
  });

  test("cancel says true once, and never for what is over or unknown", async () => {
    const { json } = await post(start, { message: "sleep 60000" });
    const stream_id = json["stream_id"];
    await until(async () => (await statusOf(stream_id))["status"] === "running");
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(cancel, { stream_id })));
    expect(answers.map((answer) => answer.json["cancelled"]).filter(Boolean)).toHaveLength(1);
    await until(async () => (await statusOf(stream_id))["status"] === "cancelled");
    expect(await post(cancel, { stream_id })).toMatchObject({ status: 200, json: { ok: true, cancelled: false, status: "not-active", stream_id } });
    expect(await post(cancel, { stream_id: "run_none" })).toMatchObject({ status: 404, json: { error: { code: "stream_not_found" } } });
  });

  test("a queued message whose answer was lost is the same message when it is sent again, by field or header", async () => {
    await harness.close();
    let lost = 0;
    const losesFirst = (runtime: Runtime): Runtime => ({
      ...runtime,
      adapter: {
        ...runtime.adapter,
        queueMessage: async (sessionId, request) => {
          const outcome = await runtime.adapter.queueMessage(sessionId, request);
          if ((lost += 1) % 2 === 1) throw new AppError("runner_unavailable", "No answer in time.");
          return outcome;
        },
      },
    });
    harness = await openRouteHarness({ wrapRuntime: losesFirst });
    const { json } = await post(start, { message: "sleep 60000" });
    const asked = { session_id: json["session_id"], message: "say later", mode: "queue" };
    for (const [body, headers] of [[{ ...asked, client_message_id: "m-1" }, {}], [asked, { "idempotency-key": "k-1" }]] as const) {
      expect((await post(queue, body, headers)).status).toBe(503);
      expect(await post(queue, body, headers)).toMatchObject({ status: 200, json: { status: "queued" } });
    }
    const list = await harness.call(readQueue, { path: `/api/queue?session_id=${String(json["session_id"])}` });
    expect(list.json["items"]).toHaveLength(2);
    await post(cancel, { stream_id: json["stream_id"] });
  });

  test("a queued message waits, is listed, and can be taken back once", async () => {
    const { json } = await post(start, { message: "sleep 60000" });
    const session_id = String(json["session_id"]);
    const queued = await post(queue, { session_id, message: "say later", mode: "queue" });
    expect(queued).toMatchObject({ status: 200, json: { accepted: true, status: "queued", queue_id: expect.stringMatching(/^que_/) } });
    const list = (await harness.call(readQueue, { path: `/api/queue?session_id=${session_id}` })).json;
    expect(list).toMatchObject({ items: [{ text: "say later", mode: "queue" }] });
    const { queue_id } = queued.json;
    const take = (): Promise<RouteAnswer> => harness.call(unqueue, { method: "DELETE", path: "/api/queue", body: { queue_id } });
    expect((await take()).status).toBe(200);
    expect(await take()).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
    await post(cancel, { stream_id: json["stream_id"] });
  });

  test("B126: deleting a session in mid-run ends the run and leaves nothing", async () => {
    const { json } = await post(start, { message: "stream 500 20" });
    const [id, stream_id] = [String(json["session_id"]), json["stream_id"]];
    const text = streamText(`/api/chat/stream?stream_id=${String(stream_id)}`);
    await until(async () => Number((await statusOf(stream_id))["last_seq"]) > 5);
    expect((await harness.call(remove, { method: "DELETE", params: { id } })).json).toEqual({ ok: true });
    expect(await text).toContain("event: run.started");
    expect((await harness.call(open, { params: { id } })).json).toMatchObject({ error: { code: "session_not_found" } });
    expect(await statusOf(stream_id)).toMatchObject({ error: { code: "stream_not_found" } });
  });
});
