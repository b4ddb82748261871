import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSettings, type Settings } from "#config/settings";
import { until } from "#testing/until";
import { createAgentEnvironment } from "./create-agent-environment";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "environment-"));
  await mkdir(join(folder, "home"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function settings(): Settings {
  const read = readSettings({ HERMES_HOME: join(folder, "home"), HERMES_WEBUI_STATE_DIR: folder });
  if (!read.ok) throw new Error(read.message);
  return read.settings;
}

const configure = (text: string): Promise<void> => writeFile(join(folder, "home", "config.yaml"), text);

it("tells what is wrong with a profile's settings once, and again when it is something else", async () => {
  await configure("approvals: sometimes\nmcp_servers:\n  kite: 5\n");
  const told: string[] = [];
  const environment = await createAgentEnvironment(settings(), { warn: (facts, message) => void told.push(`${String(facts["profile"])}: ${message}`) });
  await environment.profile("default");
  expect(told).toEqual([expect.stringContaining('default: '), expect.stringContaining("mcp_servers.kite")]);
  expect(told[0]).toContain('a "approvals" that is not a group of keys');
  await configure("approvals:\n  mode: off\ncommand_allowlist: 1\n");
  await environment.profile("default");
  await environment.profile("default");
  expect(told.slice(2)).toEqual([expect.stringContaining("command_allowlist")]);
  expect(await environment.approvalsOf("default")).toEqual({ mode: "off", timeout_s: null });
  await environment.close();
});

it("knows the keys that were written right into a server's settings as secrets, and the server without opening it", async () => {
  await configure(
    "mcp_servers:\n  kite: { command: /no/such, env: { KITE_TOKEN: t0ken-of-kites, COLOUR: blueish-green } }\n  web: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: Bearer web-key-0123, Accept-Language: de-and-more } }\n",
  );
  const environment = await createAgentEnvironment(settings(), { warn: () => undefined });
  const secrets = environment.secretsOf("default");
  expect(secrets).toEqual(expect.arrayContaining(["t0ken-of-kites", "web-key-0123"]));
  expect(secrets).not.toEqual(expect.arrayContaining(["blueish-green"]));
  expect(secrets).not.toEqual(expect.arrayContaining(["de-and-more"]));
  expect(await environment.mcpStatus("default")).toEqual([
    { server: "kite", transport: "stdio", status: "idle", tools: [], reason: null },
    { server: "web", transport: "http", status: "idle", tools: [], reason: null },
  ]);
  const { tools, missing } = await environment.mcpTools("default", "run_1", new AbortController().signal);
  expect(tools).toEqual([]);
  expect(missing).toHaveLength(2);
  await environment.close();
});

it("knows a key that was saved while its runs are at work, with no start in between", async () => {
  const environment = await createAgentEnvironment(settings(), { warn: () => undefined });
  expect(environment.secretsOf("default")).toEqual([]);
  await writeFile(join(folder, "home", ".env"), "OPENAI_API_KEY=saved-meanwhile\n");
  await until(() => environment.secretsOf("default").includes("saved-meanwhile"));
  await environment.close();
});
