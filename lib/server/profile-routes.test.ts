import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as start } from "../../app/api/chat/start/route";
import { GET as models } from "../../app/api/models/route";
import { DELETE as remove, PATCH as patch } from "../../app/api/profiles/[name]/route";
import { GET as list, POST as create } from "../../app/api/profiles/route";
import { GET as diagnostics } from "../../app/api/diagnostics/route";
import { GET as metrics } from "../../app/api/metrics/route";
import { GET as usage } from "../../app/api/usage/route";
import { openRouteHarness, type RouteAnswer, type RouteHarness } from "#testing/route-harness";
import { until } from "#testing/until";

let harness: RouteHarness;
beforeEach(async () => {
  harness = await openRouteHarness();
});
afterEach(() => harness.close());

const make = (body: unknown): Promise<RouteAnswer> => harness.call(create, { method: "POST", body });
const change = (name: string, body: unknown): Promise<RouteAnswer> => harness.call(patch, { method: "PATCH", params: { name }, body });
const drop = (name: string): Promise<RouteAnswer> => harness.call(remove, { method: "DELETE", params: { name } });

describe("profiles", () => {
  test("made, cloned, named anew with their sessions, and deleted", async () => {
    const work = await make({ name: "work" });
    expect(work).toMatchObject({ status: 201, json: { profile: { name: "work", provider: null, model: null } } });
    const home = join(harness.folder, "home", "profiles", "work");
    writeFileSync(join(home, "config.yaml"), "# mine\nother: 1\n");
    expect((await change("work", { provider: "ollama", model: "fam:27b-q8_0" })).json).toEqual({ profile: { name: "work", home, provider: "ollama", model: "fam:27b-q8_0" } });
    expect(readFileSync(join(home, "config.yaml"), "utf8")).toMatch(/^# mine\nother: 1\n/);
    expect((await make({ name: "copy", clone_from: "work" })).json).toMatchObject({ profile: { name: "copy", provider: "ollama", model: "fam:27b-q8_0" } });

    const { session_id } = await harness.server.sessions.create({ profile: "work" });
    expect((await change("work", { new_name: "play" })).json).toMatchObject({ profile: { name: "play", model: "fam:27b-q8_0" } });
    expect((await harness.server.sessions.read(session_id)).profile).toBe("play");
    expect((await harness.call(list)).json).toMatchObject({ profiles: [{ name: "default" }, { name: "copy" }, { name: "play" }] });
    expect((await drop("play")).json).toEqual({ ok: true });
    expect((await harness.server.sessions.read(session_id)).profile).toBe("default");
    expect(existsSync(join(harness.folder, "home", "profiles", "play"))).toBe(false);
  });

  test("names that are taken, wrong, unknown or the default one's", async () => {
    await make({ name: "work" });
    const conflict = { status: 409, json: { error: { code: "conflict" } } };
    const unknown = { status: 404, json: { error: { code: "profile_not_found" } } };
    const wrong = { status: 400, json: { error: { code: "invalid_request" } } };
    expect(await make({ name: "work" })).toMatchObject(conflict);
    expect(await make({ name: "default" })).toMatchObject(conflict);
    expect(await change("work", { new_name: "default" })).toMatchObject(conflict);
    expect(await drop("default")).toMatchObject(conflict);
    expect(await make({ name: "new", clone_from: "nobody" })).toMatchObject(unknown);
    for (const name of ["Work", "a b", "../x", "", "x".repeat(65), "."]) {
      expect(await make({ name })).toMatchObject(wrong);
      expect(await change("work", { new_name: name })).toMatchObject(wrong);
      expect(await change(name, { model: "m" })).toMatchObject(unknown);
      expect(await drop(name)).toMatchObject(unknown);
    }
    expect((await harness.call(list)).json).toMatchObject({ profiles: [{ name: "default" }, { name: "work" }] });
  });

  test("a profile whose session is at work stays where it is", async () => {
    await make({ name: "work" });
    const { session_id } = await harness.server.sessions.create({ profile: "work" });
    const active = await harness.server.database.batch([
      {
        sql: `INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, started_at, position)
              VALUES ('run_1', ?, 'turn_1', 'webui', '{}', 1, 'running', 0, 1, 0)`,
        args: [session_id],
      },
    ]);
    expect(active).toHaveLength(1);
    const busy = { status: 409, json: { error: { code: "run_active" } } };
    expect(await change("work", { new_name: "play" })).toMatchObject(busy);
    expect(await drop("work")).toMatchObject(busy);
    expect(existsSync(join(harness.folder, "home", "profiles", "work"))).toBe(true);
    expect((await harness.server.sessions.read(session_id)).profile).toBe("work");
    await harness.server.database.execute("DELETE FROM runs");
  });
});

describe("what an operator sees", () => {
  test("models: the practice model is always there, an unknown profile is not", async () => {
    expect((await harness.call(models)).json).toMatchObject({
      providers: expect.arrayContaining([expect.objectContaining({ id: "demo", available: true, models: [expect.objectContaining({ supports: { tools: true, reasoning: true, images: false } })] })]),
      default: { provider: "demo", model: "demo" },
    });
    expect(await harness.call(models, { path: "/?profile=nobody" })).toMatchObject({ status: 404, json: { error: { code: "profile_not_found" } } });
  });

  test("metrics count requests, streams and runs; diagnostics and usage tell of runs and hold no words of people", async () => {
    const started = await harness.call(start, { method: "POST", body: { message: "say a secret word" } });
    const [session_id, stream_id] = [String(started.json["session_id"]), String(started.json["stream_id"])];
    await until(async () => (await harness.server.runtime.adapter.getRun(stream_id))?.terminal_state !== null);
    const text = await (await harness.send(metrics)).text();
    expect(text).toMatch(/hermes_http_requests_total\{method="POST",route="\/api\/chat\/start",status="200"\} 1/);
    expect(text).toMatch(/hermes_streams_open 0/);
    expect(text).toMatch(/hermes_runs_active 0/);
    const told = (await harness.call(diagnostics, { path: `/?session_id=${session_id}` })).json;
    expect(told).toMatchObject({ status: "ok", session: { active_run_id: null, runs: [{ run_id: stream_id, status: "completed" }] }, recent_errors: [] });
    expect(JSON.stringify(told)).not.toContain("secret word");
    expect((await harness.call(usage)).json).toMatchObject({ total: { runs: 1 }, days: [{ runs: 1 }], models: [{ runs: 1, provider: "demo" }] });
  });
});
