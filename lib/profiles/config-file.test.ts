import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "./config-file";
import { addAllow, approvalsOf, readAllowlist, readModelChoice, removeAllow, settingsWarnings, writeModelChoice } from "./config-settings";
import { mcpServersOf } from "./mcp-servers";

let home: string;
let file: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "config-"));
  file = join(home, "config.yaml");
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const PERSONAL = `# My agent
model:
  default: "fam:27b-q8_0"   # the small one
  provider: custom
  base_url: 'http://127.0.0.1:8080/v1'

terminal: {cwd: ., timeout: 180}
platform_toolsets:
  cli: [web, terminal]

# what I allow
command_allowlist:
  - recursive delete   # builds
  - git push *
anchors:
  base: &base
    a: yes
  derived:
    <<: *base
long: ${"word ".repeat(40).trim()}
`;

describe("B283: whatever is in the file, reading gives a value", () => {
  it.each([
    ["empty", "", "empty"],
    ["only comments", "# nothing\n\n", "empty"],
    ["null", "null\n", "empty"],
    ["~", "~", "empty"],
    ["a list", "- a\n- b\n", "not_a_map"],
    ["a number", "7\n", "not_a_map"],
    ["a text", "hello\n", "not_a_map"],
    ["tabs", "model:\n\tdefault: x\n", "tab_indentation"],
    ["an open bracket", "a: [1, 2\n", "syntax"],
    ["a half written file", "a: 1\nmod", "syntax"],
    ["two documents", "a: 1\n---\nb: 2\n", "syntax"],
    ["an alias bomb", `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e"].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcd"[at]}`).join(",")}]`).join("\n")}\n`, "syntax"],
    ["bytes", "\u0000\u0001\u0002", "not_a_map"],
  ])("%s", async (_what, text, code) => {
    await writeFile(file, text);
    const { config, warnings } = await readConfig(home);
    expect(config).toEqual({});
    expect(warnings.map((warning) => warning.code)).toEqual([code]);
    expect(warnings[0]?.file).toBe(file);
    expect(warnings[0]?.message).toContain(file);
    expect(warnings[0]?.message).not.toContain("    at ");
  });

  it("a byte order mark is told and read over", async () => {
    await writeFile(file, "\uFEFFmodel: m\n");
    const { config, warnings } = await readConfig(home);
    expect(config).toEqual({ model: "m" });
    expect(warnings.map((warning) => warning.code)).toEqual(["byte_order_mark"]);
  });

  it("of a key that stands twice the last one counts, the key and its line are named", async () => {
    await writeFile(file, "a: 1\nmodel: x\nmodel: y\n");
    const { config, warnings } = await readConfig(home);
    expect(config).toEqual({ a: 1, model: "y" });
    expect(warnings).toMatchObject([{ code: "duplicate_key", key: "model", message: expect.stringContaining("line 3") }]);
  });

  it("10 MB, a folder and no file at all", async () => {
    expect(await readConfig(home)).toEqual({ config: {}, warnings: [] });
    await writeFile(file, "");
    await truncate(file, 10 * 1024 * 1024);
    expect((await readConfig(home)).warnings).toMatchObject([{ code: "too_large" }]);
    await rm(file);
    expect((await readConfig("/dev/null")).config).toEqual({});
    expect((await readConfig(join(home, "..", home.split("/").at(-1) ?? ""))).config).toEqual({});
  });

  it("a key of ours with the wrong type counts as absent and is named", async () => {
    await writeFile(file, "model: [a]\nprovider: {}\ncommand_allowlist: rm\napprovals: 3\nmcp_servers: [x]\nother: [1]\n");
    const { config } = await readConfig(home);
    expect(settingsWarnings(home, config).map((warning) => warning.key)).toEqual(["command_allowlist", "model", "provider", "approvals", "mcp_servers"]);
    expect(await readAllowlist(home)).toEqual([]);
    expect(await readModelChoice(home)).toEqual({ provider: null, model: null });
    expect(approvalsOf(config)).toEqual({ mode: null, timeout_s: null });
    expect(mcpServersOf(home, config, {})).toMatchObject({ servers: [], warnings: [{ key: "mcp_servers" }] });
  });
});

describe("an edit touches only what it is about", () => {
  it("adds and removes an allowed pattern and leaves the rest to the letter", async () => {
    await writeFile(file, PERSONAL);
    expect(await addAllow(home, "git clean")).toEqual({ status: "saved" });
    expect(await readFile(file, "utf8")).toBe(PERSONAL.replace("  - git push *\n", "  - git push *\n  - git clean\n").replace(/ {3}#/g, " #"));
    expect(await readAllowlist(home)).toEqual(["recursive delete", "git push *", "git clean"]);
    expect(await addAllow(home, "git clean")).toEqual({ status: "unchanged" });
    expect(await removeAllow(home, "git clean")).toEqual({ status: "saved" });
    expect(await removeAllow(home, "git clean")).toEqual({ status: "unchanged" });
    expect(await readFile(file, "utf8")).toBe(PERSONAL.replace(/ {3}#/g, " #"));
  });

  it("sets provider and model where they are, the exact text of the name included", async () => {
    await writeFile(file, PERSONAL);
    for (const model of ["fam:27b-q8_0", "a/b/c:free", "gpt_proxy/x", "@x:y", "007", "no", "# x"]) {
      await writeModelChoice(home, { provider: "openrouter", model });
      expect(await readModelChoice(home)).toEqual({ provider: "openrouter", model });
    }
    const text = await readFile(file, "utf8");
    expect(text).toContain("# the small one");
    expect(text).toContain("base_url: 'http://127.0.0.1:8080/v1'");
    expect(text).toContain("terminal: {cwd: ., timeout: 180}");
    expect(text).toContain("<<: *base");
  });

  it("a bare model name becomes a group; null takes out, undefined leaves", async () => {
    await writeFile(file, "model: old # keep me\nprovider: p\n");
    expect(await writeModelChoice(home, { model: "new" })).toEqual({ status: "saved" });
    expect(await readModelChoice(home)).toEqual({ provider: "p", model: "new" });
    await writeModelChoice(home, { provider: "q" });
    expect(await readModelChoice(home)).toEqual({ provider: "q", model: "new" });
    await writeModelChoice(home, { provider: null, model: null });
    expect(await readModelChoice(home)).toEqual({ provider: null, model: null });
    expect(await writeModelChoice(home, {})).toEqual({ status: "unchanged" });
  });

  it.each([
    ["lists that are not indented, Windows line ends", "a:\r\n- x\r\n- y\r\nb:\r\n  c: 1\r\n", "command_allowlist:\r\n- k\r\n"],
    ["deep indents", "a:\n    b:\n        - x\n", "command_allowlist:\n    - k\n"],
  ])("keeps the file's manner: %s", async (_what, text, added) => {
    await writeFile(file, text);
    await addAllow(home, "k");
    expect(await readFile(file, "utf8")).toBe(text + added);
  });

  it("makes the file, also from nothing, null or a comment", async () => {
    for (const text of [null, "", "null\n", "# mine\n"]) {
      if (text === null) await rm(file, { force: true });
      else await writeFile(file, text);
      expect(await addAllow(home, "k")).toEqual({ status: "saved" });
      expect(await readAllowlist(home)).toEqual(["k"]);
    }
    expect(await readFile(file, "utf8")).toContain("# mine");
  });

  it.each(["- a\n", "a: 1\na: 2\n", "a:\n\tb: 1\n", "a: [\n", "command_allowlist: rm\n"])("refuses to write into %j", async (text) => {
    await writeFile(file, text);
    expect((await addAllow(home, "k")).status).toBe("refused");
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("edits at one moment are all kept", async () => {
    await Promise.all([...Array.from({ length: 10 }, (_, number) => addAllow(home, `k${number}`)), writeModelChoice(home, { model: "m" })]);
    expect((await readAllowlist(home)).toSorted()).toEqual(Array.from({ length: 10 }, (_, number) => `k${number}`));
    expect((await readModelChoice(home)).model).toBe("m");
  });
});

describe("approvals", () => {
  it.each([
    ["mode: manual", "manual"], ["mode: off", "off"], ["mode: 'OFF'", "off"], ["mode: false", "off"], ["mode: smart", "manual"], ["mode: anything", "manual"], ["mode: ''", "manual"], ["timeout: 5", null],
  ])("%s", async (text, mode) => {
    await writeFile(file, `approvals:\n  ${text}\n`);
    expect(approvalsOf((await readConfig(home)).config).mode).toBe(mode);
  });

  it("reads the timeout in seconds", () => {
    expect(approvalsOf({ approvals: { timeout: 60 } }).timeout_s).toBe(60);
    expect(approvalsOf({ approvals: { timeout: -1 } }).timeout_s).toBeNull();
  });
});

describe("MCP servers", () => {
  it("reads programs and addresses, fills in variables of the profile, leaves out what is off", () => {
    const config = {
      mcp_servers: {
        time: { command: "uvx", args: ["mcp-server-time", 1], env: { TZ: "${ZONE}", N: 1 }, timeout: 30, tools: { include: ["now"] }, asks: ["set"] },
        web: { url: "https://mcp.test/x", headers: { Authorization: "Bearer ${WEB_TOKEN}" }, asks: true },
        old: { command: "x", enabled: false },
        broken: { args: [] },
        odd: { url: "file:///etc/passwd" },
        text: "x",
      },
    };
    const { servers, warnings } = mcpServersOf("/h", config, { ZONE: "UTC", WEB_TOKEN: "t" });
    expect(servers).toEqual([
      { name: "time", transport: "stdio", command: "uvx", args: ["mcp-server-time", "1"], env: { TZ: "UTC", N: "1" }, cwd: null, timeout_s: 30, include: ["now"], exclude: [], asks: ["set"] },
      { name: "web", transport: "http", url: "https://mcp.test/x", headers: { Authorization: "Bearer t" }, timeout_s: null, include: null, exclude: [], asks: "all" },
    ]);
    expect(warnings.map((warning) => warning.key)).toEqual(["mcp_servers.broken", "mcp_servers.odd.url", "mcp_servers.text"]);
  });
});
