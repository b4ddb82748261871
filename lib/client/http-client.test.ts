import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApi } from "./api";
import { createHttpClient, withQuery, type HttpClient } from "./http-client";

let server: Server;
let http: HttpClient;
let origin: string;

beforeEach(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? "";
    const answer = (status: number, body: string) => {
      response.writeHead(status, { "content-type": "text/plain" });
      response.end(body);
    };
    if (path === "/base/good") answer(200, JSON.stringify({ method: request.method, key: request.headers["idempotency-key"] ?? null }));
    else if (path === "/base/active") answer(409, JSON.stringify({ error: { code: "run_active", message: "A run is active.", active_stream_id: "run_1" } }));
    else if (path === "/base/proxy") answer(502, "<h1>Bad gateway</h1>");
    else if (path === "/base/odd") answer(200, "<h1>Welcome</h1>");
    else if (path === "/base/new") answer(400, JSON.stringify({ error: { code: "a_code_of_tomorrow", message: "No." } }));
    // Everything else is never answered.
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  origin = isListening(address) ? `http://127.0.0.1:${address.port}` : "";
  http = createHttpClient({ basePath: "/base", fetch: (input, init) => fetch(`${origin}${input}`, init) });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function isListening(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

const schema = z.object({ method: z.string(), key: z.string().nullable() });

describe("a request is a value at the end", () => {
  it("with the answer, parsed", async () => {
    expect(await http.call("PATCH", "/good", schema, { body: {}, key: "k1" })).toEqual({ ok: true, value: { method: "PATCH", key: "k1" } });
  });

  it("with the server's own code, words and facts", async () => {
    expect(await http.call("POST", "/active", schema, { body: {} })).toEqual({
      ok: false,
      code: "run_active",
      message: "A run is active.",
      status: 409,
      details: { active_stream_id: "run_1" },
    });
  });

  it.each([
    ["/proxy", { code: "internal", status: 502 }],
    ["/odd", { code: "bad_answer", status: 200 }],
    ["/new", { code: "invalid_request", status: 400, message: "No." }],
  ])("with a code for what nobody agreed on: %s", async (path, expected) => {
    expect(await http.call("GET", path, schema)).toMatchObject({ ok: false, ...expected });
  });

  it("when nothing answers in time, when it is given up, when nobody is there", async () => {
    expect(await http.call("GET", "/silent", schema, { timeout_ms: 30 })).toMatchObject({ ok: false, code: "timed_out", status: 0 });
    const stop = new AbortController();
    const asked = http.call("GET", "/silent", schema, { signal: stop.signal });
    stop.abort();
    expect(await asked).toMatchObject({ ok: false, code: "aborted" });
    const nowhere = createHttpClient({ basePath: "", fetch: () => fetch("http://127.0.0.1:1/") });
    expect(await nowhere.call("GET", "/", schema)).toMatchObject({ ok: false, code: "unreachable" });
  });
});

describe("addresses", () => {
  const api = createApi({ basePath: "/base", fetch: () => Promise.reject(new Error("unused")), createUploadRequest: () => new XMLHttpRequest() });

  it("carry the base path and escape what they hold", () => {
    expect(api.sessions.exportUrl("ses_1", "md")).toBe("/base/api/sessions/ses_1/export?format=md");
    expect(api.files.rawUrl("ses_1", "a b/ä&.txt")).toBe("/base/api/files/raw?session_id=ses_1&path=a+b%2F%C3%A4%26.txt");
    expect(api.files.attachmentUrl("../x")).toBe("/base/api/attachments/..%2Fx");
    expect(withQuery("/x", { a: undefined, b: null, c: false, d: 0 })).toBe("/x?c=false&d=0");
  });

  it("name each subscription with its cursor", () => {
    const url = api.eventsUrl([
      { session_id: "ses_1", cursor: "run_1:4" },
      { session_id: "ses_2", cursor: null },
    ]);
    expect(new URL(url, "http://x").searchParams.getAll("s")).toEqual(["ses_1~run_1:4", "ses_2~"]);
  });
});
