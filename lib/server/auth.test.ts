import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as login } from "../../app/api/auth/login/route";
import { POST as logout } from "../../app/api/auth/logout/route";
import { POST as upload } from "../../app/api/attachments/route";
import { GET as health } from "../../app/api/health/route";
import { GET as list } from "../../app/api/sessions/route";
import { openRouteHarness, type RouteAnswer, type RouteHarness } from "#testing/route-harness";
import { safeNext } from "./safe-next";

let harness: RouteHarness;
let clock = 1_000;
beforeEach(async () => {
  clock = 1_000;
  harness = await openRouteHarness({ env: { HERMES_WEBUI_PASSWORD: "open sesame", HERMES_WEBUI_TRUSTED_PROXY: "10.0.0.1" }, now: () => clock });
});
afterEach(() => harness.close());

const tryPassword = (password: string, peer = "203.0.113.5", headers: Readonly<Record<string, string>> = {}): Promise<RouteAnswer> =>
  harness.call(login, { method: "POST", body: { password }, peer, headers });
const cookieOf = (answer: RouteAnswer): string => (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
const listWith = async (cookie: string): Promise<number> => (await harness.call(list, { headers: cookie === "" ? {} : { cookie } })).status;

describe("login", () => {
  test("opens the server for the cookie's bearer, from anywhere, until logout ends it here too", async () => {
    expect(await listWith("")).toBe(401);
    const answer = await tryPassword("open sesame");
    const cookie = cookieOf(answer);
    expect(answer.headers.get("set-cookie")).toMatch(/^hermes_login_8787=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    expect((await harness.call(list, { headers: { cookie }, peer: "203.0.113.77" })).status).toBe(200);
    const out = await harness.call(logout, { method: "POST", headers: { cookie } });
    expect(out.headers.get("set-cookie")).toMatch(/Max-Age=0/);
    expect(await listWith(cookie)).toBe(401);
  });

  test("the cookie is Secure behind an https proxy that is trusted, and only then", async () => {
    const forwarded = { "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.4" };
    expect((await tryPassword("open sesame", "10.0.0.1", forwarded)).headers.get("set-cookie")).toMatch(/; Secure$/);
    expect((await tryPassword("open sesame", "203.0.113.9", forwarded)).headers.get("set-cookie")).not.toMatch(/Secure/);
  });

  test("a cookie of another install, a wrong one and an old one are worth nothing", async () => {
    const cookie = cookieOf(await tryPassword("open sesame"));
    for (const wrong of ["hermes_login_8787=", `hermes_login_8787=${"A".repeat(43)}`, `${cookie}x`, "hermes_login_8787=../../x", cookie.replace("8787", "9999")]) {
      expect(await listWith(wrong)).toBe(401);
    }
    expect(await listWith(cookie)).toBe(200);
    clock += 31 * 86_400;
    expect(await listWith(cookie)).toBe(401);
  });

  test("five failed tries a minute per address, then no password helps, and another address is not held back", async () => {
    for (let tries = 0; tries < 5; tries += 1) expect((await tryPassword("wrong")).status).toBe(401);
    const refused = await tryPassword("open sesame");
    expect(refused).toMatchObject({ status: 429, json: { error: { code: "rate_limited" } } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await tryPassword("open sesame", "203.0.113.6")).status).toBe(200);
    // Whatever it claims to be forwarded for, the socket counts.
    expect((await tryPassword("open sesame", "203.0.113.5", { "x-forwarded-for": "1.2.3.4" })).status).toBe(429);
    clock += 61;
    expect((await tryPassword("open sesame")).status).toBe(200);
  });

  test("addresses of one /64 are one, and many addresses do not fill the memory", async () => {
    for (let tries = 0; tries < 5; tries += 1) await tryPassword("wrong", `2001:db8::${tries + 1}`);
    expect((await tryPassword("open sesame", "2001:db8:0:0:aaaa::1")).status).toBe(429);
    expect((await tryPassword("open sesame", "2001:db8:0:1::1")).status).toBe(200);
  });

  test("a login is never repeated for a key", async () => {
    const first = await tryPassword("open sesame", "203.0.113.5", { "idempotency-key": "k" });
    const second = await tryPassword("open sesame", "203.0.113.5", { "idempotency-key": "k" });
    expect(cookieOf(second)).not.toBe(cookieOf(first));
    const { rows } = await harness.server.database.execute("SELECT COUNT(*) AS count FROM idempotency");
    expect(rows[0]?.["count"]).toBe(0);
  });

  test("B210: without a cookie nothing is uploaded; health tells a stranger whether it is well, and no more", async () => {
    const form = new FormData();
    form.set("file", new File(["x"], "x.txt"));
    expect((await harness.call(upload, { method: "POST", body: form })).status).toBe(401);
    const stranger = await harness.call(health);
    expect(stranger).toMatchObject({ status: 200, json: { status: "ok" } });
    expect(Object.keys(stranger.json)).toEqual(["status"]);
    const cookie = cookieOf(await tryPassword("open sesame"));
    expect((await harness.call(health, { headers: { cookie } })).json).toMatchObject({
      status: "ok",
      version: "0.0.0",
      adapter: "legacy-direct",
      database: { ok: true, path_kind: "file" },
      runner: { configured: false, ok: true },
      streams: 0,
      uptime_s: expect.any(Number),
    });
  });
});

describe("B249: where a login leads", () => {
  test.each(["/", "/s/ses_1", "/s/ses_1?tab=files#end", "/a%20b"])("%s stays", (next) => expect(safeNext(next)).toBe(next));
  test.each([null, "", "//evil.test", "https:evil", "/\\evil", "\\\\evil", "javascript:alert(1)", "/\t/evil.test", " /x", "/login", "/login?next=%2Flogin", `/${"a".repeat(300)}`, "/../..//evil.test", "/x\n"])(
    "%j leads to the front page",
    (next) => expect(safeNext(next)).toBe("/"),
  );
});
