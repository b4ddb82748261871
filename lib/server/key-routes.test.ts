import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as models } from "../../app/api/models/route";
import { GET as list, PATCH as patch } from "../../app/api/profiles/[name]/keys/route";
import { PATCH as patchSession } from "../../app/api/sessions/[id]/route";
import { openRouteHarness, type RouteAnswer, type RouteHarness } from "#testing/route-harness";
import { until } from "#testing/until";

const KEY = "sk-canary-0123456789abcdef";

let harness: RouteHarness;
beforeEach(async () => {
  harness = await openRouteHarness({ env: { ANTHROPIC_API_KEY: "sk-ant-of-the-environment" } });
});
afterEach(() => harness.close());

const keys = (name = "default"): Promise<RouteAnswer> => harness.call(list, { params: { name } });
const change = (values: unknown, more: Readonly<Record<string, string>> = {}): Promise<RouteAnswer> =>
  harness.call(patch, { method: "PATCH", params: { name: "default" }, body: { values }, headers: more });
const file = (): string => join(harness.folder, "home", ".env");

describe("a profile's keys", () => {
  test("are told by name and their last four characters, and set and taken out without a restart", async () => {
    expect((await keys()).json).toMatchObject({
      keys: expect.arrayContaining([
        { name: "OPENAI_API_KEY", provider: "openai", kind: "key", source: null, shown: null, hides_environment: false, editable: true },
        { name: "ANTHROPIC_API_KEY", provider: "anthropic", kind: "key", source: "environment", shown: "ment", hides_environment: false, editable: false },
      ]),
    });
    const saved = await change({ OPENAI_API_KEY: KEY, OLLAMA_HOST: "127.0.0.1:9" });
    expect(saved.status).toBe(200);
    expect(saved.json).toMatchObject({
      keys: expect.arrayContaining([
        expect.objectContaining({ name: "OPENAI_API_KEY", source: "profile", shown: "cdef", editable: true }),
        expect.objectContaining({ name: "OLLAMA_HOST", source: "profile", shown: "127.0.0.1:9" }),
      ]),
    });
    expect(JSON.stringify(saved.json)).not.toContain(KEY.slice(0, -4));
    expect((await harness.call(models)).json).toMatchObject({ providers: expect.arrayContaining([expect.objectContaining({ id: "openai", available: true })]) });

    expect((await change({ OPENAI_API_KEY: null })).json).toMatchObject({ keys: expect.arrayContaining([expect.objectContaining({ name: "OPENAI_API_KEY", source: null })]) });
    expect(readFileSync(file(), "utf8")).toBe("OLLAMA_HOST=127.0.0.1:9\n");
  });

  test("what else the file has is named, its secrets by their end, the rest not at all", async () => {
    writeFileSync(file(), "# mine\nGH_TOKEN=ghp_0123456789abcdef\nSHORT_KEY=12345678\nCITY=Ulm\nOLLAMA_HOST=http://me:pass@127.0.0.1\n");
    const told = (await keys()).json;
    expect(told).toMatchObject({
      keys: expect.arrayContaining([
        expect.objectContaining({ name: "GH_TOKEN", provider: null, kind: "key", shown: "cdef" }),
        expect.objectContaining({ name: "SHORT_KEY", kind: "key", shown: null }),
        expect.objectContaining({ name: "CITY", kind: "other", shown: null }),
        expect.objectContaining({ name: "OLLAMA_HOST", shown: null }),
      ]),
    });
    expect(JSON.stringify(told)).not.toMatch(/Ulm|pass|5678/);
    await change({ GH_TOKEN: null });
    expect(readFileSync(file(), "utf8")).toMatch(/^# mine\nSHORT_KEY=12345678\nCITY=Ulm\n/);
  });

  test("of the environment cannot be changed here; the profile's own beats it and may go", async () => {
    expect(await change({ ANTHROPIC_API_KEY: KEY })).toMatchObject({ status: 409, json: { error: { code: "conflict" } } });
    writeFileSync(file(), `ANTHROPIC_API_KEY=${KEY}\n`);
    expect((await keys()).json).toMatchObject({ keys: expect.arrayContaining([expect.objectContaining({ name: "ANTHROPIC_API_KEY", source: "profile", shown: "cdef", hides_environment: true, editable: true })]) });
    expect((await change({ ANTHROPIC_API_KEY: null })).status).toBe(200);
  });

  test("what cannot be a key, an address or a name is refused without being repeated", async () => {
    const wrong: readonly Readonly<Record<string, string>>[] = [{ OPENAI_API_KEY: "two words" }, { OPENAI_API_KEY: "a\nB=1" }, { OPENAI_API_KEY: "" }, { OLLAMA_HOST: "ftp://secret-place" }, { HERMES_MODEL_BASE_URL: "secret place" }, { "A=B": "x" }, { "": "x" }];
    for (const values of wrong) {
      const answer = await change(values);
      expect(answer, JSON.stringify(values)).toMatchObject({ status: 400, json: { error: { code: "invalid_request" } } });
      expect(JSON.stringify(answer.json)).not.toMatch(/two words|secret/);
    }
    expect((await keys("nobody")).json).toMatchObject({ error: { code: "profile_not_found" } });
    expect(await change({ OPENAI_API_KEY: KEY }, { origin: "http://elsewhere.example" })).toMatchObject({ status: 403 });
  });

  test("a saved key is a secret at once, in what this process writes too", async () => {
    const { session_id } = await harness.server.sessions.create({});
    await change({ OPENAI_API_KEY: "a-plain-looking-word-0" });
    await until(async () => {
      const answer = await harness.call(patchSession, { method: "PATCH", params: { id: session_id }, body: { title: "about a-plain-looking-word-0" } });
      return JSON.stringify(answer.json).includes("about [redacted]");
    });
  });
});
