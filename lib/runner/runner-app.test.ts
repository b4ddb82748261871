/** The runner's HTTP API as an outside client meets it: it knows the key, the ten request fields and the paths of contract 4. */
import { request as httpRequest } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { parseEvent, type AnyEvent } from "#protocol/events";
import { OutsideClient, text } from "#testing/outside-client";
import { openTestRunner, TEST_KEY } from "#testing/test-runner";
import { until } from "#testing/until";
import type { Runner } from "./open-runner";

let folder = "";
let runner: Runner;
const client = new OutsideClient(() => runner);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "runner-app-"));
  runner = await openTestRunner({ folder });
});
afterAll(async () => {
  await runner.close(200);
  await rm(folder, { recursive: true, force: true });
});

function idsIn(frames: string): readonly (string | undefined)[] {
  return [...frames.matchAll(/^id: (.*)$/gm)].map((match) => match[1]);
}

describe("the key", () => {
  it("opens every route but health, and a wrong one opens none", async () => {
    expect((await fetch(`${runner.url}/health`)).status).toBe(200);
    for (const path of ["/v1/capabilities", "/v1/runs/run_1", "/v1/doorbell", "/v1/nothing"]) {
      for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${TEST_KEY}`, `Bearer ${TEST_KEY}x`]) {
        expect(await client.ask("GET", path, undefined, { authorization })).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
      }
    }
    expect((await client.ask("GET", "/v1/nothing")).body).toMatchObject({ error: { code: "not_found" } });
    expect((await client.ask("GET", "/v1/capabilities", undefined, { authorization: `bearer ${TEST_KEY}` })).status).toBe(200);
  });

  it("health and capabilities say what the runner is", async () => {
    expect((await client.ask("GET", "/health")).body).toEqual({ status: "ok", version: "0.0.0-test", pid: process.pid, draining: false, active_runs: expect.any(Number), uptime_s: expect.any(Number) });
    expect((await client.ask("GET", "/v1/capabilities")).body).toMatchObject({
      controls: ["cancel", "approval", "clarify", "queue", "steer", "interrupt"],
      engines: ["builtin"],
      toolsets: expect.arrayContaining(["terminal", "file"]),
      features: { goal: true },
    });
  });
});

describe("a run by an outside client", () => {
  it("starts with the ten fields, is polled to its end, and reads as a status", async () => {
    const asked = { session_id: null, message: "say Hello there.", attachments: [], workspace: null, profile: null, provider: null, model: null, toolsets: null, source: "cli", metadata: { by: "test" } };
    const told = await client.ask("POST", "/v1/runs", asked);
    const run_id = text(told.body, "run_id");
    expect(told).toMatchObject({
      status: 202,
      body: { run_id, stream_id: run_id, session_id: expect.stringMatching(/^ses_/), status: "running", started_at: expect.any(Number), cursor: `${run_id}:1`, active_controls: ["cancel", "queue", "steer", "interrupt"] },
    });
    const events: (AnyEvent | null)[] = [];
    let cursor = "";
    await until(async () => {
      const { body } = await client.ask("GET", `/v1/runs/${run_id}/events?cursor=${cursor}`);
      expect(body).not.toHaveProperty("reset");
      events.push(...z.array(z.unknown()).parse(body["events"]).map(parseEvent));
      cursor = text(body, "cursor");
      return events.at(-1)?.terminal === true;
    });
    expect(events.map((event) => event?.seq)).toEqual(events.map((_, index) => index + 1));
    expect((await client.ask("GET", `/v1/runs/${run_id}`)).body).toMatchObject({ run_id, stream_id: run_id, status: "completed", terminal_state: "completed", last_event_id: cursor, controls: [], active_controls: [], pending_approval_id: null });
    // The cursor at the end: nothing more, at once, and the same place again.
    expect((await client.ask("GET", `/v1/runs/${run_id}/events?cursor=${cursor}`)).body).toEqual({ run_id, events: [], cursor, last_event_id: cursor });
    expect((await client.ask("GET", `/v1/runs/${run_id}/events?cursor=${events.length - 1}`)).body["events"]).toHaveLength(1);
  });

  it("a wrong cursor gives everything and says so", async () => {
    const { run_id } = await client.start("say Hello.");
    await client.reach(run_id, "completed");
    const all = (await client.ask("GET", `/v1/runs/${run_id}/events`)).body;
    for (const cursor of ["abc", "-1", "1e3", "9999", "run_other:1", `${run_id}:9999`]) {
      expect((await client.ask("GET", `/v1/runs/${run_id}/events?cursor=${cursor}`)).body).toEqual({ ...all, reset: true });
    }
  });

  it("streams with the cursor in any of its ways, ends after the terminal event, and is 204 behind it", async () => {
    const { run_id } = await client.start("say Hello.");
    await client.reach(run_id, "completed");
    const stream = (query: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(`${runner.url}/v1/runs/${run_id}/events${query}`, { headers: { authorization: `Bearer ${TEST_KEY}`, accept: "text/event-stream", ...headers } });
    const whole = await stream("");
    expect(whole.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const ids = idsIn(await whole.text());
    expect(ids).toEqual(ids.map((_, index) => `${run_id}:${index + 1}`));
    for (const response of [await stream("?cursor=2"), await stream(`?after_event_id=${run_id}:2`), await stream("", { "last-event-id": `${run_id}:2` })]) {
      expect(idsIn(await response.text())).toEqual(ids.slice(2));
    }
    expect((await stream(`?cursor=${ids.length}`)).status).toBe(204);
    expect(await (await stream("?cursor=wrong")).text()).toMatch(/event: reset\ndata: {"reason":"malformed"}\n\nid: run_[^:]*:1\n/);
  });

  it("is found by its session, and only while it is active", async () => {
    const { run_id, session_id } = await client.start("ask Go on? | yes | no");
    expect(await client.runsOf(session_id, "&active=1")).toMatchObject([{ run_id, session_id, active_controls: expect.any(Array) }]);
    expect((await client.ask("POST", "/v1/runs", { session_id, message: "say no" })).body).toMatchObject({ error: { code: "run_active", active_stream_id: run_id } });
    expect((await client.ask("POST", `/v1/runs/${run_id}/cancel`)).body).toMatchObject({ accepted: true, ok: true });
    await client.reach(run_id, "cancelled");
    expect((await client.ask("GET", `/v1/runs?session_id=${session_id}&active=1`)).body).toEqual({ runs: [], active_run_id: null });
    expect(await client.runsOf(session_id)).toHaveLength(1);
    expect((await client.ask("GET", "/v1/runs?session_id=ses_unknown")).status).toBe(404);
    for (const query of ["", "?active=1", "?session_id="]) {
      expect(await client.ask("GET", `/v1/runs${query}`)).toMatchObject({ status: 400, body: { error: { code: "invalid_request", issues: [{ path: "session_id" }] } } });
    }
  });

  it("a repeated run id with the same body is the same start, with another body a conflict", async () => {
    const run_id = "run_01HZZZZZZZZZZZZZZZZZZZZZZ1";
    const asked = { run_id, message: "say Once.", metadata: { a: 1, b: 2 } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.ask("POST", "/v1/runs", asked)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await client.reach(run_id, "completed");
    const again = await client.ask("POST", "/v1/runs", { message: "say Once.", metadata: { b: 2, a: 1 }, profile: null, run_id });
    expect(again).toEqual(answers[0]);
    expect((await client.ask("POST", "/v1/runs", { ...asked, message: "say Twice." })).body).toMatchObject({ error: { code: "idempotency_conflict" } });
    expect(await client.runsOf(text(again.body, "session_id"))).toHaveLength(1);
  });

  it("a repeated message id without a run id is one start too", async () => {
    const asked = { client_message_id: "m-1", message: "say Once." };
    const [one, two] = await Promise.all([client.ask("POST", "/v1/runs", asked), client.ask("POST", "/v1/runs", asked)]);
    expect(two).toEqual(one);
  });
});

describe("bad input", () => {
  it("is read as JSON whatever type it comes with, and refused as JSON", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "Application/JSON; charset=utf-8"]) {
      expect((await client.ask("POST", "/v1/runs", { message: "say Hello." }, { "content-type": type })).status).toBe(202);
    }
    const wrong = await fetch(`${runner.url}/v1/runs`, { method: "POST", headers: { authorization: `Bearer ${TEST_KEY}` }, body: "message=say+Hello." });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: "invalid_json" } }]);
  });

  it("is answered with its code and changes nothing", async () => {
    expect((await client.ask("POST", "/v1/runs", "{ no json")).body).toMatchObject({ error: { code: "invalid_json" } });
    expect((await client.ask("POST", "/v1/runs", {})).body).toMatchObject({ error: { code: "invalid_request", issues: [{ path: "message" }] } });
    expect((await client.ask("POST", "/v1/runs", { message: " " })).status).toBe(400);
    expect((await client.ask("POST", "/v1/runs", [])).status).toBe(400);
    expect((await client.ask("POST", "/v1/runs", { message: "x", session_id: "ses_unknown" })).body).toMatchObject({ error: { code: "session_not_found" } });
    expect((await client.ask("POST", "/v1/runs", { message: "x", run_id: "../x" })).status).toBe(400);
    expect((await client.ask("PUT", "/v1/runs", {})).status).toBe(404);
  });

  it("a body over 1 MiB is refused while it streams, whatever it announces", async () => {
    expect((await client.ask("POST", "/v1/runs", { message: "x".repeat(1_100_000) })).body).toMatchObject({ error: { code: "too_large" } });
    const status = await new Promise<number>((resolve, reject) => {
      const sending = httpRequest(`${runner.url}/v1/runs`, { method: "POST", headers: { authorization: `Bearer ${TEST_KEY}`, "transfer-encoding": "chunked" } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sending.on("error", reject);
      for (let piece = 0; piece < 20; piece += 1) sending.write("x".repeat(100_000));
    });
    expect(status).toBe(413);
  });
});

describe("the doorbell", () => {
  it("rings for each commit at once, after it said that it listens", async () => {
    const stop = new AbortController();
    const response = await fetch(`${runner.url}/v1/doorbell`, { headers: { authorization: `Bearer ${TEST_KEY}` }, signal: stop.signal });
    let heard = "";
    const listening = (async () => {
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard += piece;
    })().catch(() => undefined);
    await until(() => heard.includes("event: listening"));
    expect(heard).not.toContain("event: commit");
    await client.start("say Ring.");
    await until(() => heard.includes("event: commit"));
    stop.abort();
    await listening;
  });
});
