import { afterEach, expect, test } from "vitest";
import { GET as nothing } from "../../app/api/[...path]/route";
import { GET as status } from "../../app/api/chat/stream/status/route";
import { GET as health } from "../../app/api/health/route";
import { writePidFile } from "#config/pid-file";
import { writeSupervisorStatus } from "#config/supervisor-status";
import { openRouteHarness, type RouteHarness } from "#testing/route-harness";
import { guardPage } from "./page-guard";

let harness: RouteHarness;
afterEach(() => harness.close());

test("what nobody expected is `internal`, with a request id, and its cause is in the log only", async () => {
  harness = await openRouteHarness({
    wrapRuntime: (runtime) => ({ ...runtime, adapter: { ...runtime.adapter, getRun: () => Promise.reject(new Error("secret path /etc/x")) } }),
  });
  const answer = await harness.call(status, { path: "/?stream_id=run_1" });
  expect(answer).toMatchObject({ status: 500, json: { error: { code: "internal" } } });
  expect(JSON.stringify(answer.json)).not.toContain("secret");
  const requestId = answer.headers.get("x-request-id");
  expect(harness.server.recentErrors.all).toEqual([{ at: expect.any(Number), request_id: requestId, route: "/api/chat/stream/status", name: "Error" }]);
});

test("health answers within a second although the runtime hangs, and says so", async () => {
  harness = await openRouteHarness({ wrapRuntime: (runtime) => ({ ...runtime, health: () => new Promise(() => undefined) }) });
  const began = performance.now();
  const { json } = await harness.call(health);
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(json).toMatchObject({ status: "degraded", database: { ok: true }, runner: { ok: false, reason: "not_answering" } });
});

test("health tells what the web process before this one died of (S3)", async () => {
  harness = await openRouteHarness();
  expect((await harness.call(health)).json).not.toHaveProperty("web");
  const crash = { kind: "out_of_memory", message: "The web process ran out of memory.", at: Date.now() / 1000 } as const;
  writePidFile(harness.folder, "supervisor", "http://127.0.0.1:8787");
  writeSupervisorStatus(harness.folder, {
    supervisor_pid: process.pid,
    web: { state: "ready", pid: process.pid, since: crash.at, adopted: false, restarts: 1, last_crash: crash },
    runner: null,
  });
  expect((await harness.call(health)).json).toMatchObject({ status: "ok", web: { crash } });
});

test("every answer forbids framing, sniffing and caching, and allows no other origin", async () => {
  harness = await openRouteHarness();
  for (const response of [await harness.send(health), await harness.send(nothing), await harness.send(status, { path: "/?stream_id=run_none" })]) {
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({ "x-frame-options": "DENY", "x-content-type-options": "nosniff", "cache-control": "no-store", "content-security-policy": expect.stringContaining("frame-ancestors 'none'") });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
  expect(await harness.call(nothing, { params: {} })).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
});

test("pages: strangers are led to the login with a way back, other hosts and machines are refused, scripts need the answer's nonce", async () => {
  harness = await openRouteHarness({ env: { HERMES_WEBUI_PASSWORD: "open sesame" } });
  const { peers, auth } = harness.server;
  const ask = (path: string, more: Readonly<Record<string, string>> = {}, isLogin = false) =>
    guardPage({ headers: new Headers({ host: "localhost:8787", [peers.header]: "1 127.0.0.1", ...more }), path, isLogin });
  expect(await ask("/s/ses_1?x=1")).toEqual({ kind: "redirect", path: "/login?next=%2Fs%2Fses_1%3Fx%3D1" });
  expect(await ask("/")).toEqual({ kind: "redirect", path: "/login" });
  // B249: however often it bounces, the address does not grow.
  expect(await ask(`/login?next=${encodeURIComponent("/login?next=/login")}`)).toEqual({ kind: "redirect", path: "/login" });
  expect(await ask(`/${"a".repeat(400)}`)).toEqual({ kind: "redirect", path: "/login" });
  expect(await ask("/", { host: "evil.test" })).toMatchObject({ kind: "refuse", status: 403 });
  expect(await ask("/login", {}, true)).toMatchObject({ kind: "show" });
  const cookie = (await auth.login("open sesame", { address: "127.0.0.1", https: false }))?.split(";")[0] ?? "";
  const [one, other] = [await ask("/", { cookie }), await ask("/", { cookie })];
  if (one.kind !== "show" || other.kind !== "show") throw new Error("A page is shown to who is logged in.");
  expect(one.nonce).not.toBe(other.nonce);
  expect(one.policy).toContain(`script-src 'self' 'nonce-${one.nonce}' 'strict-dynamic';`);
});
