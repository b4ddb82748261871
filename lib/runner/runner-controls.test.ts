/** Controls over HTTP: each answers with a bounded result, by whatever id and body it is asked. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, describe } from "vitest";
import { z } from "zod";
import { OutsideClient, text, type Told } from "#testing/outside-client";
import { openTestRunner } from "#testing/test-runner";
import { until } from "#testing/until";
import type { Runner } from "./open-runner";

let folder = "";
let runner: Runner;
const client = new OutsideClient(() => runner);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "runner-controls-"));
  runner = await openTestRunner({ folder });
});
afterAll(async () => {
  await runner.close(200);
  await rm(folder, { recursive: true, force: true });
});

describe("controls of a run", () => {
  it("answer prompts by id, once, and tell late, foreign and unoffered answers apart from shape", async () => {
    const { run_id } = await client.start("run rm -rf gone\nask Which? | red | blue");
    const { pending_approval_id, pending_clarify_id } = await client.reach(run_id, "awaiting_approval");
    const approve = (body: unknown): Promise<Told> => client.ask("POST", `/v1/runs/${run_id}/approval`, body);
    for (const body of [{ approval_id: "", choice: "once" }, { approval_id: pending_approval_id }, { approval_id: pending_approval_id, choice: "maybe" }]) expect((await approve(body)).status).toBe(400);
    expect((await approve({ approval_id: "apr_unknown", choice: "once" })).body).toMatchObject({ accepted: false, ok: false, status: "not-active", event_id: null });
    expect((await approve({ approval_id: pending_approval_id, choice: "deny" })).body).toEqual({
      ...{ accepted: true, ok: true, status: "accepted", event_id: expect.stringContaining(`${run_id}:`) },
      ...{ safe_message: expect.any(String), message: expect.any(String) },
    });
    expect((await approve({ approval_id: pending_approval_id, choice: "once" })).body).toMatchObject({ accepted: false, status: "not-active" });

    await client.reach(run_id, "awaiting_clarify");
    const respond = (body: unknown, id: unknown): Promise<Told> => client.ask("POST", `/v1/runs/${run_id}/clarifications/${String(id)}/respond`, body);
    expect((await respond({}, pending_clarify_id)).status).toBe(400);
    expect((await respond({ response: "blue" }, "clr_unknown")).body).toMatchObject({ accepted: false, status: "not-active" });
    expect((await respond({ response: "blue" }, pending_clarify_id)).body).toMatchObject({ accepted: true });
    await client.reach(run_id, "completed");
  });

  it("of an unknown run are 404, of an ended one say so", async () => {
    const controls = { cancel: {}, approval: { approval_id: "apr_1", choice: "once" }, "clarifications/clr_1/respond": { response: "x" }, messages: { message: "x", mode: "queue" } };
    for (const id of ["run_unknown", "..%2F..", "x".repeat(3_000)]) {
      for (const [path, body] of Object.entries(controls)) expect((await client.ask("POST", `/v1/runs/${id}/${path}`, body)).status).toBe(404);
      expect((await client.ask("GET", `/v1/runs/${id}`)).body).toMatchObject({ error: { code: "run_not_found" } });
      expect((await client.ask("GET", `/v1/runs/${id}/events`)).status).toBe(404);
    }
    const { run_id } = await client.start("say Hello.");
    await client.reach(run_id, "completed");
    for (const [path, body] of Object.entries(controls)) {
      expect((await client.ask("POST", `/v1/runs/${run_id}/${path}`, body)).body).toMatchObject({ accepted: false, status: "not-active", event_id: null });
    }
    for (const body of [[], "text", 7]) expect((await client.ask("POST", `/v1/runs/${run_id}/cancel`, JSON.stringify(body))).status).toBe(400);
  });

  it("messages wait for their turn, steer or interrupt, and name their event", async () => {
    const { run_id, session_id } = await client.start("ask Go on? | yes");
    await client.reach(run_id, "awaiting_clarify");
    const send = (message: string, mode: string): Promise<Told> => client.ask("POST", `/v1/runs/${run_id}/messages`, { message, mode });
    expect((await send("say Later.", "queue")).body).toMatchObject({ accepted: true, status: "accepted", event_id: expect.stringContaining(`${session_id}:`), queue_id: expect.stringMatching(/^que_/) });
    expect((await send("Be brief.", "steer")).body).toMatchObject({ accepted: true, event_id: expect.stringContaining(`${run_id}:`) });
    expect((await client.ask("GET", `/v1/sessions/${session_id}/queue`)).body["items"]).toHaveLength(2);
    expect((await send("", "queue")).status).toBe(400);
    expect((await send("x", "shout")).status).toBe(400);
    await send("say Now.", "interrupt");
    await until(async () => (await client.runsOf(session_id)).length === 4);
    await until(async () => (await client.runsOf(session_id, "&active=1")).length === 0);
  });
});

describe("a message that is sent twice", () => {
  it("is taken once, named by its field or by the header, which beats it, also when its run has ended", async () => {
    const { run_id, session_id } = await client.start("ask Go on? | yes");
    await client.reach(run_id, "awaiting_clarify");
    const send = (message: string, client_message_id: string, headers = {}): Promise<Told> =>
      client.ask("POST", `/v1/runs/${run_id}/messages`, { message, mode: "queue", client_message_id }, headers);
    const first = await send("say Later.", "m-1");
    expect(first.body).toMatchObject({ accepted: true, event_id: expect.stringContaining(session_id) });
    const other = await send("say More.", "m-1", { "idempotency-key": "k-1" });
    expect(other.body).toMatchObject({ accepted: true });
    expect(await send("say Later.", "m-1")).toEqual(first);
    expect(await send("say Other.", "m-1")).toMatchObject({ status: 409, body: { error: { code: "idempotency_conflict" } } });
    expect((await client.ask("POST", `/v1/sessions/${session_id}/queue`, { message: "say More.", mode: "queue" }, { "idempotency-key": "k-1" })).body).toMatchObject({ status: "queued", queue_id: other.body["queue_id"] });
    expect((await client.ask("GET", `/v1/sessions/${session_id}/queue`)).body["items"]).toHaveLength(2);
    expect((await send("say x.", "m-2", { "idempotency-key": "\u00e9" })).status).toBe(400);
    await client.ask("POST", `/v1/runs/${run_id}/cancel`);
    await client.reach(run_id, "cancelled");
    expect((await send("say New.", "m-3")).body).toMatchObject({ accepted: false, status: "not-active" });
    expect(await send("say Later.", "m-1")).toEqual(first);
    const start = { message: "say Once." };
    const started = await client.ask("POST", "/v1/runs", start, { "idempotency-key": "s-1" });
    expect(await client.ask("POST", "/v1/runs", start, { "idempotency-key": "s-1" })).toEqual(started);
  });
});

describe("controls of a session", () => {
  it("have the browser's methods, bodies and answers", async () => {
    const { run_id, session_id } = await client.start("ask Go on? | yes");
    await client.reach(run_id, "awaiting_clarify");
    const path = `/v1/sessions/${session_id}`;
    const add = async (message: string): Promise<string> => text((await client.ask("POST", `${path}/queue`, { message, mode: "queue" })).body, "queue_id");
    const [one, two] = [await add("say One."), await add("say Two.")];
    expect((await client.ask("PATCH", `${path}/queue`, { queue_id: two, message: "say 2.", before: one })).body["item"]).toMatchObject({ queue_id: two, text: "say 2." });
    expect((await client.ask("GET", `${path}/queue`)).body["items"]).toMatchObject([{ queue_id: two }, { queue_id: one }]);
    expect((await client.ask("DELETE", "/v1/sessions/ses_other/queue", { queue_id: one })).status).toBe(404);
    expect((await client.ask("DELETE", `${path}/queue`, { queue_id: one })).body).toEqual({ ok: true });
    expect((await client.ask("DELETE", `${path}/queue`, { queue_id: one })).body).toMatchObject({ error: { code: "not_found" } });
    expect((await client.ask("POST", `${path}/yolo`, { enabled: true })).body).toEqual({ yolo_enabled: true });
    expect((await client.ask("POST", `${path}/yolo`, { enabled: "yes" })).status).toBe(400);
    expect((await client.ask("POST", `${path}/compress`, {})).body).toMatchObject({ error: { code: "run_active", active_stream_id: run_id } });
    expect((await client.ask("GET", `${path}/processes`)).body).toEqual({ processes: [] });
    expect((await client.ask("POST", `${path}/quiesce`)).body).toEqual({ ok: true });
    await client.reach(run_id, "cancelled");
    expect((await client.ask("POST", `${path}/queue/resume`)).body).toMatchObject({ ok: true, stream_id: expect.stringMatching(/^run_/), started: { session_id } });
    const asked = { queue: { message: "x", mode: "queue" }, "queue/resume": {}, yolo: { enabled: true }, compress: {}, retry: {}, quiesce: {}, goal: { action: "status" } };
    for (const [rest, body] of Object.entries(asked)) {
      for (const id of ["ses_unknown", "..%2F.."]) {
        expect(await client.ask("POST", `/v1/sessions/${id}/${rest}`, body)).toMatchObject({ status: 404, body: { error: { code: "session_not_found" } } });
      }
    }
  });

  it("of the goal are control results with the goal", async () => {
    const { run_id, session_id } = await client.start("say Hello.");
    await client.reach(run_id, "completed");
    const goal = (body: unknown): Promise<Told> => client.ask("POST", `/v1/sessions/${session_id}/goal`, body);
    expect((await goal({ action: "status" })).body).toMatchObject({ accepted: true, goal: null });
    expect((await goal({ action: "pause" })).body).toMatchObject({ accepted: false, ok: false, status: "not-active", goal: null, error: { code: "no_goal" } });
    expect((await goal({ action: "set", text: "  " })).status).toBe(400);
    expect((await goal({ action: "dance" })).status).toBe(400);
    const set = await goal({ action: "set", text: "say It is done." });
    expect(set.body).toMatchObject({ accepted: true, status: "accepted", event_id: expect.stringContaining(`${session_id}:`), goal: { status: "active", turns_used: 0 }, stream_id: expect.stringMatching(/^run_/) });
    const statusSchema = z.object({ goal: z.object({ status: z.string() }) });
    await until(async () => statusSchema.parse((await client.ask("GET", `/v1/sessions/${session_id}/goal`)).body).goal.status === "done");
  });
});

describe("a runner that drains", () => {
  it("says so, starts nothing, and asks again later what waits", async () => {
    const { run_id } = await client.start("run rm -rf later");
    const { pending_approval_id } = await client.reach(run_id, "awaiting_approval");
    await runner.open.host.drain(0);
    expect((await client.ask("GET", "/health")).body).toMatchObject({ status: "draining", draining: true });
    expect(await client.ask("POST", "/v1/runs", { message: "say No." })).toMatchObject({ status: 503, body: { error: { code: "draining" } } });
    expect(await client.ask("POST", `/v1/runs/${run_id}/approval`, { approval_id: pending_approval_id, choice: "once" })).toMatchObject({ status: 503, body: { error: { code: "draining" } } });
    await client.reach(run_id, "awaiting_approval");
  });
});
