import { describe, expect, test } from "vitest";
import { readBasePath } from "./build-settings";
import { knownSecrets } from "./known-secrets";
import { type Environment, readSettings, type Settings } from "./settings";

function settingsOf(environment: Environment): Settings {
  const result = readSettings({ HOME: "/home/ada", ...environment });
  if (!result.ok) throw new Error(result.message);
  return result.settings;
}

describe("an empty environment", () => {
  test("has every default of the contract", () => {
    const settings = settingsOf({});
    expect(settings).toMatchObject({
      hermesHome: "/home/ada/.hermes",
      stateDirectory: "/home/ada/.hermes/workbench",
      database: { url: "file:///home/ada/.hermes/workbench/hermes.db", path: "/home/ada/.hermes/workbench/hermes.db" },
      basePath: "",
      host: "127.0.0.1",
      port: 8787,
      allowedHosts: [],
      password: null,
      adapter: "legacy-direct",
      adapterIsNamed: false,
      runner: { baseUrl: null, apiKey: null, leaseSeconds: 10 },
      workspace: "/home/ada/.hermes/workspace",
      approvalMode: "manual",
      approvalTimeoutSeconds: 300,
      clarifyTimeoutSeconds: 3600,
      runRecovery: "prompts",
      maxConcurrentRuns: 8,
      maxSteps: 90,
      logLevel: "info",
    });
    expect(knownSecrets(settings)).toEqual([]);
  });

  test("has a home even when HOME is missing or empty", () => {
    for (const HOME of ["", undefined]) {
      const result = readSettings({ HOME });
      expect(result.ok && result.settings.hermesHome).toMatch(/^\/.*\.hermes$/);
    }
  });

  test("blank values count as not set", () => {
    expect(settingsOf({ HERMES_WEBUI_PORT: " ", HERMES_MODEL: "", HERMES_WEBUI_PASSWORD: "" })).toEqual(settingsOf({}));
  });
});

describe("values that are set", () => {
  test("paths: a tilde is the home, a home in HERMES_HOME moves what lies in it", () => {
    const settings = settingsOf({ HERMES_HOME: "~/agents", HERMES_WORKSPACE: "/srv/project" });
    expect(settings.stateDirectory).toBe("/home/ada/agents/workbench");
    expect(settings.workspace).toBe("/srv/project");
  });

  test("a database path with blanks and signs stays one path", () => {
    const settings = settingsOf({ HERMES_WEBUI_STATE_DIR: "/srv/my state #1?" });
    expect(settings.database).toEqual({ path: "/srv/my state #1?/hermes.db", url: "file:///srv/my%20state%20%231%3F/hermes.db" });
    expect(settingsOf({ HERMES_WEBUI_DATABASE_URL: "file:/srv/a%20b.db" }).database.path).toBe("/srv/a b.db");
  });

  test.each([
    ["HERMES_WEBUI_BASE_PATH", "desk/", { basePath: "/desk" }],
    ["HERMES_WEBUI_BASE_PATH", "/", { basePath: "" }],
    ["HERMES_WEBUI_ALLOWED_HOSTS", "Desk.example:443, [::1]", { allowedHosts: ["desk.example", "::1"] }],
    ["HERMES_WEBUI_TRUSTED_PROXY", "10.0.0.0/8, ::1", { trustedProxies: ["10.0.0.0/8", "::1"] }],
    ["HERMES_WEBUI_RUNTIME_ADAPTER", "runner-local", { adapter: "runner-local", adapterIsNamed: true }],
    ["HERMES_WEBUI_HOST", "[::1]", { host: "::1" }],
    ["HERMES_APPROVAL_TIMEOUT_S", "0", { approvalTimeoutSeconds: 0 }],
    ["HERMES_APPROVAL_TIMEOUT_S", "1.5", { approvalTimeoutSeconds: 1.5 }],
  ])("%s=%s", (variable, text, expected) => {
    expect(settingsOf({ [variable]: text })).toMatchObject(expected);
  });

  test.each([
    ["127.0.0.1:11435", "http://127.0.0.1:11435"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["https://models.example/ollama/", "https://models.example/ollama"],
    ["::1", "http://[::1]:11434"],
  ])("OLLAMA_HOST=%s is reached at %s", (text, url) => {
    expect(settingsOf({ OLLAMA_HOST: text }).providers.ollamaUrl).toBe(url);
  });

  test("every secret is known to the redactor, once", () => {
    const settings = settingsOf({ HERMES_WEBUI_PASSWORD: " pass ", OPENAI_API_KEY: "sk-1\n", HERMES_MODEL_API_KEY: "sk-1" });
    expect(knownSecrets(settings, "runner-key")).toEqual([" pass ", "runner-key", "sk-1"]);
  });
});

describe("a wrong value is one line that names the variable, says what is allowed and keeps the value to itself", () => {
  test.each([
    ["HERMES_WEBUI_PORT", "8787x"],
    ["HERMES_WEBUI_PORT", "0"],
    ["HERMES_WEBUI_PORT", "65536"],
    ["HERMES_WEBUI_PORT", "0x1f90"],
    ["HERMES_WEBUI_HOST", "not a host"],
    ["HERMES_WEBUI_DATABASE_URL", "libsql://db.example"],
    ["HERMES_WEBUI_DATABASE_URL", "file::memory:"],
    ["HERMES_WEBUI_DATABASE_URL", "file:/srv/a.db?mode=ro"],
    ["HERMES_WEBUI_DATABASE_URL", "file://elsewhere/a.db"],
    ["HERMES_WEBUI_DATABASE_URL", "file:/srv/%zz.db"],
    ["HERMES_WEBUI_BASE_PATH", "/a/../b"],
    ["HERMES_WEBUI_BASE_PATH", "/a b"],
    ["HERMES_WEBUI_ALLOWED_HOSTS", "*"],
    ["HERMES_WEBUI_TRUSTED_PROXY", "10.0.0.0/33"],
    ["HERMES_WEBUI_TRUSTED_PROXY", "proxy.example"],
    ["HERMES_WEBUI_RUNTIME_ADAPTER", "direct"],
    ["HERMES_WEBUI_RUNNER_BASE_URL", "file:///etc/passwd"],
    ["HERMES_WEBUI_RUNNER_BASE_URL", "ftp://runner.example"],
    ["HERMES_WEBUI_RUNNER_BASE_URL", "http://user:hunter2@127.0.0.1:9"],
    ["HERMES_RUNNER_LEASE_S", "0"],
    ["HERMES_MODEL_BASE_URL", "127.0.0.1:11434/v1"],
    ["HERMES_APPROVAL_MODE", "yes"],
    ["HERMES_APPROVAL_TIMEOUT_S", "-1"],
    ["HERMES_CLARIFY_TIMEOUT_S", "1e9"],
    ["HERMES_RUN_RECOVERY", "on"],
    ["HERMES_MAX_CONCURRENT_RUNS", "1.5"],
    ["HERMES_MAX_STEPS", "none"],
    ["HERMES_LOG_LEVEL", "INFO"],
    ["OPENAI_API_KEY", "sk-a\nsk-b"],
    ["HERMES_HOME", "/tmp/\u0000"],
  ])("%s=%j", (variable, text) => {
    const result = readSettings({ HOME: "/home/ada", [variable]: text });
    expect(result).toMatchObject({ ok: false, variable });
    const message = result.ok ? "" : result.message;
    expect(message.startsWith(`${variable} must be `)).toBe(true);
    expect(message).not.toContain("\n");
    expect(message).not.toContain("hunter2");
  });

  test("beyond loopback a password is needed", () => {
    expect(readSettings({ HERMES_WEBUI_HOST: "0.0.0.0" })).toMatchObject({ ok: false, variable: "HERMES_WEBUI_HOST" });
    expect(readSettings({ HERMES_WEBUI_HOST: "0.0.0.0", HERMES_WEBUI_PASSWORD: "long enough" }).ok).toBe(true);
    for (const host of ["localhost", "127.0.0.9", "::1"]) expect(readSettings({ HERMES_WEBUI_HOST: host }).ok).toBe(true);
  });
});

test("a build reads the path prefix alone, and refuses a wrong one by its name", () => {
  expect(readBasePath({ HERMES_WEBUI_BASE_PATH: " desk/ ", HERMES_WEBUI_PORT: "x" })).toBe("/desk");
  expect(readBasePath({})).toBe("");
  expect(() => readBasePath({ HERMES_WEBUI_BASE_PATH: "/a b" })).toThrow(/^HERMES_WEBUI_BASE_PATH must be /);
});
