import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OutsideClient } from "#testing/outside-client";
import { openTestRunner, TEST_KEY, testSettings } from "#testing/test-runner";
import { findListenPlace } from "./listen-place";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "listen-place-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function placeOf(env: Readonly<Record<string, string>>) {
  return findListenPlace(testSettings({ folder, env }));
}

describe("where the runner listens", () => {
  it("is the port after the web process's, on loopback, unless the address says another", () => {
    expect(placeOf({ HERMES_WEBUI_RUNNER_BASE_URL: "" })).toMatchObject({ ok: true, place: { url: "http://127.0.0.1:8788", host: "127.0.0.1", port: 8788, prefix: "", key: TEST_KEY } });
    expect(placeOf({ HERMES_WEBUI_RUNNER_BASE_URL: "http://[::1]:9001/desk/" })).toMatchObject({ ok: true, place: { url: "http://[::1]:9001/desk", host: "::1", port: 9001, prefix: "/desk" } });
    expect(placeOf({ HERMES_WEBUI_RUNNER_BASE_URL: "http://localhost" })).toMatchObject({ ok: true, place: { host: "localhost", port: 80 } });
    expect(placeOf({ HERMES_WEBUI_RUNNER_BASE_URL: "", HERMES_WEBUI_PORT: "65535" })).toMatchObject({ ok: false, message: expect.stringContaining("HERMES_WEBUI_RUNNER_BASE_URL") });
  });

  it("has a key of its own making on loopback only", () => {
    const made = placeOf({ HERMES_WEBUI_RUNNER_API_KEY: "" });
    expect(made).toMatchObject({ ok: true, place: { key: expect.stringMatching(/^[\w-]{32,}$/) } });
    expect(placeOf({ HERMES_WEBUI_RUNNER_API_KEY: "" })).toEqual(made);
    expect(placeOf({ HERMES_WEBUI_RUNNER_API_KEY: "", HERMES_WEBUI_RUNNER_BASE_URL: "http://192.0.2.1:1" })).toMatchObject({ ok: false, message: expect.stringContaining("HERMES_WEBUI_RUNNER_API_KEY") });
    expect(placeOf({ HERMES_WEBUI_RUNNER_BASE_URL: "http://192.0.2.1:1" })).toMatchObject({ ok: true, place: { key: TEST_KEY } });
  });

  it("may have a path in front of every route; more unfinished runs than it takes are 429", async () => {
    const runner = await openTestRunner({ folder, env: { HERMES_WEBUI_RUNNER_BASE_URL: "http://127.0.0.1:0/desk" }, mostLiveRuns: 1 });
    try {
      const client = new OutsideClient(() => runner);
      expect(runner.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/desk$/);
      expect((await client.ask("GET", "/health")).body).toMatchObject({ status: "ok" });
      const { run_id } = await client.start("ask Wait? | yes");
      expect(await client.ask("POST", "/v1/runs", { message: "say Too many." })).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
      await client.ask("POST", `/v1/runs/${run_id}/cancel`);
      await client.reach(run_id, "cancelled");
    } finally {
      await runner.close(200);
    }
  });
});
