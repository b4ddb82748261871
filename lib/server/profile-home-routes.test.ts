import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DELETE as disallow, GET as allowed } from "../../app/api/profiles/[name]/allowlist/route";
import { GET as mcp } from "../../app/api/profiles/[name]/mcp/route";
import { GET as read, PUT as write } from "../../app/api/profiles/[name]/text/route";
import { GET as texts } from "../../app/api/profiles/[name]/texts/route";
import { refused, succeeded } from "#protocol/control";
import { openRouteHarness, type RouteAnswer, type RouteHarness } from "#testing/route-harness";

let harness: RouteHarness;
let runnerAnswers = true;
beforeEach(async () => {
  runnerAnswers = true;
  harness = await openRouteHarness({
    wrapRuntime: (runtime) => ({
      ...runtime,
      mcpServers: () =>
        Promise.resolve(
          runnerAnswers
            ? succeeded([{ server: "kite", transport: "stdio" as const, status: "failed" as const, tools: [], reason: "It did not start." }, { server: "web", transport: "http" as const, status: "ready" as const, tools: ["find", "open"], reason: null }])
            : refused("runner_unavailable", "The runner does not answer."),
        ),
    }),
  });
});
afterEach(() => harness.close());

const home = (...names: readonly string[]): string => join(harness.folder, "home", ...names);
const open = (path: string, name = "default"): Promise<RouteAnswer> => harness.call(read, { params: { name }, path: `/?path=${encodeURIComponent(path)}` });
const save = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<RouteAnswer> => harness.call(write, { method: "PUT", params: { name: "default" }, body, headers });

describe("a profile's texts", () => {
  test("listed, opened, saved over what was read and over nothing else", async () => {
    expect((await harness.call(texts, { params: { name: "default" } })).json).toMatchObject({ texts: [{ path: "SOUL.md", size: null }, { path: "memories/MEMORY.md" }, { path: "memories/USER.md" }] });
    const saved = await save({ path: "skills/tidy/SKILL.md", content: "---\nname: tidy\n---\n", expected_mtime: null });
    expect(saved).toMatchObject({ status: 200, json: { path: "skills/tidy/SKILL.md", mtime: expect.any(Number), max_bytes: 262_144 } });
    expect((await harness.call(texts, { params: { name: "default" } })).json).toMatchObject({ texts: [{}, {}, {}, { path: "skills/tidy/SKILL.md", kind: "skill", name: "tidy" }] });
    expect((await open("skills/tidy/SKILL.md")).json).toEqual(saved.json);
    expect(await save({ path: "skills/tidy/SKILL.md", content: "x", expected_mtime: null })).toMatchObject({ status: 409, json: { error: { code: "changed_on_disk" } } });
    expect(await save({ path: "skills/tidy/SKILL.md", content: "x", expected_mtime: 5 })).toMatchObject({ status: 409, json: { error: { code: "changed_on_disk" } } });
    expect((await save({ path: "skills/tidy/SKILL.md", content: "x", expected_mtime: saved.json["mtime"] })).status).toBe(200);
    expect(readFileSync(home("skills", "tidy", "SKILL.md"), "utf8")).toBe("x");
  });

  test("nothing else of the home, nothing outside, nothing too long, nothing from elsewhere", async () => {
    writeFileSync(home(".env"), "OPENAI_API_KEY=sk-canary\n");
    for (const path of [".env", "config.yaml", "../x", "skills/../../SKILL.md"]) expect(await open(path)).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
    mkdirSync(home("memories"));
    symlinkSync("/etc/hostname", home("memories", "USER.md"));
    expect(await open("memories/USER.md")).toMatchObject({ status: 403, json: { error: { code: "outside_workspace" } } });
    expect(await save({ path: "SOUL.md", content: "x".repeat(70_000), expected_mtime: null })).toMatchObject({ status: 413, json: { error: { code: "too_large" } } });
    expect(await save({ path: "SOUL.md", content: "x" })).toMatchObject({ status: 400 });
    expect(await save({ path: "SOUL.md", content: "x", expected_mtime: null }, { origin: "http://elsewhere.example" })).toMatchObject({ status: 403, json: { error: { code: "origin_not_allowed" } } });
    expect(await open("SOUL.md", "nobody")).toMatchObject({ status: 404, json: { error: { code: "profile_not_found" } } });
  });
});

describe("what is approved for good", () => {
  test("is listed and taken out one by one, the rest of the file as it was", async () => {
    writeFileSync(home("config.yaml"), "# mine\ncommand_allowlist:\n  - recursive delete # always\n  - npm test\nother: 1\n");
    expect((await harness.call(allowed, { params: { name: "default" } })).json).toEqual({ patterns: ["recursive delete", "npm test"] });
    const drop = (pattern: string): Promise<RouteAnswer> => harness.call(disallow, { method: "DELETE", params: { name: "default" }, body: { pattern } });
    expect((await drop("recursive delete")).json).toEqual({ patterns: ["npm test"] });
    expect((await drop("recursive delete")).json).toEqual({ patterns: ["npm test"] });
    expect(readFileSync(home("config.yaml"), "utf8")).toBe("# mine\ncommand_allowlist:\n  - npm test\nother: 1\n");
    writeFileSync(home("config.yaml"), "command_allowlist: [a\n");
    expect(await drop("a")).toMatchObject({ status: 409, json: { error: { code: "conflict" } } });
  });
});

describe("MCP servers", () => {
  const CONFIG = "mcp_servers:\n  kite: { command: kite-server, args: [--key, sk-canary-1] }\n  web: { url: 'https://tools.example/mcp/sk-canary-2?key=sk-canary-3', headers: { Authorization: Bearer sk-canary-4 } }\n  odd: 5\n";

  test("are what the profile names, as the owner of runs has them, with no key in it", async () => {
    writeFileSync(home("config.yaml"), CONFIG);
    const told = (await harness.call(mcp, { params: { name: "default" } })).json;
    expect(told).toEqual({
      servers: [
        { server: "kite", transport: "stdio", place: "kite-server", status: "failed", tools: [], reason: "It did not start." },
        { server: "web", transport: "http", place: "tools.example", status: "ready", tools: ["find", "open"], reason: null },
      ],
      problems: [expect.stringContaining("mcp_servers.odd")],
    });
    expect(JSON.stringify(told)).not.toContain("canary");
  });

  test("are told without their state while the owner of runs does not answer", async () => {
    writeFileSync(home("config.yaml"), CONFIG);
    runnerAnswers = false;
    expect((await harness.call(mcp, { params: { name: "default" } })).json).toMatchObject({ servers: [{ server: "kite", status: "unknown" }, { server: "web", status: "unknown", reason: null }] });
  });
});
