import { describe, expect, test } from "vitest";
import { parseStartOptions } from "./start-options";
import { type Installation, planStart, type StartPlan } from "./start-plan";

const built: Installation = { root: "/srv/desk", runnerIsBuilt: true, version: "1.0.0" };

function resultOf(words: readonly string[], environment = {}, installation = built) {
  const parsed = parseStartOptions(words);
  return parsed.ok ? planStart({ HOME: "/home/ada", ...environment }, parsed.options, installation) : parsed;
}

function planOf(words: readonly string[], environment = {}, installation = built): StartPlan {
  const result = resultOf(words, environment, installation);
  if (!result.ok) throw new Error(result.message);
  return result.plan;
}

describe("what a start runs", () => {
  test("by default the page and a runner one port above it, which the page is told", () => {
    const plan = planOf([]);
    expect(plan.url).toBe("http://127.0.0.1:8787");
    expect(plan.runner?.url).toBe("http://127.0.0.1:8788");
    expect(plan.web.program.command).toEqual([expect.stringMatching(/^--max-semi-space-size=/), "/srv/desk/node_modules/next/dist/bin/next", "start", "-p", "8787", "-H", "127.0.0.1"]);
    expect(plan.web.program.environment).toMatchObject({
      NODE_ENV: "production",
      HERMES_WEBUI_RUNTIME_ADAPTER: "runner-local",
      HERMES_WEBUI_RUNNER_BASE_URL: "http://127.0.0.1:8788",
      HERMES_WEBUI_STATE_DIR: "/home/ada/.hermes/workbench",
    });
  });

  test("the page alone where no runner was built, and in the legacy modes", () => {
    expect(planOf([], {}, { ...built, runnerIsBuilt: false })).toMatchObject({ adapter: "legacy-direct", runner: null });
    expect(planOf(["--adapter", "legacy-journal"])).toMatchObject({ adapter: "legacy-journal", runner: null });
    expect(planOf([], { HERMES_WEBUI_RUNTIME_ADAPTER: "legacy-direct" })).toMatchObject({ adapter: "legacy-direct", runner: null });
  });

  test("no runner of its own when the runner is on another machine", () => {
    const plan = planOf([], { HERMES_WEBUI_RUNNER_BASE_URL: "https://runner.example/" });
    expect(plan.runner).toBeNull();
    expect(plan.web.program.environment["HERMES_WEBUI_RUNNER_BASE_URL"]).toBe("https://runner.example");
  });

  test("an option beats its variable", () => {
    const plan = planOf(["--port=9000", "--host", "0.0.0.0"], { HERMES_WEBUI_PORT: "1", HERMES_WEBUI_PASSWORD: "pass", HERMES_WEBUI_BASE_PATH: "desk" });
    expect(plan.url).toBe("http://127.0.0.1:9000/desk");
    expect(plan.web.healthUrl).toBe("http://127.0.0.1:9000/desk/api/health");
    expect(plan.web.program.command.slice(-1)).toEqual(["0.0.0.0"]);
    expect(planOf(["--host", "::1"]).url).toBe("http://[::1]:8787");
  });
});

describe("what a start refuses, in one line", () => {
  test.each<[readonly string[], object, RegExp]>([
    [["--port", "x"], {}, /^--port must be a whole number/],
    [[], { HERMES_WEBUI_PORT: "x" }, /^HERMES_WEBUI_PORT must be a whole number/],
    [["--host", "0.0.0.0"], {}, /^--host must be a loopback address/],
    [["--adapter", "direct"], {}, /^--adapter must be one of/],
    [["--port", "65535"], {}, /next port/],
    [["--prot", "1"], {}, /--prot/],
    [["--port"], {}, /--port/],
    [["extra"], {}, /extra/],
    [["--status", "--stop"], {}, /--status and --stop/],
  ])("%j with %j", (words, environment, expected) => {
    const result = resultOf(words, environment);
    expect(result.ok ? "" : result.message).toMatch(expected);
    expect(result.ok ? "" : result.message).not.toContain("\n");
  });

  test("a runner that was not built", () => {
    expect(resultOf(["--adapter", "runner-local"], {}, { ...built, runnerIsBuilt: false })).toMatchObject({ ok: false });
  });
});
