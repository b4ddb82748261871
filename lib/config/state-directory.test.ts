import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ensureRunnerKey, resolveRunnerKey } from "./runner-key";
import { readSettings } from "./settings";
import { ensurePrivateFile, openStateDirectory } from "./state-directory";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "state-"));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe("the state directory", () => {
  test("is made private, with its parents and its log directory", () => {
    const path = join(root, "a/b/state");
    expect(openStateDirectory(path)).toEqual({ ok: true });
    expect([modeOf(path), modeOf(join(path, "logs"))]).toEqual([0o700, 0o700]);
    expect(readdirSync(path)).toEqual(["logs"]);
  });

  test("an older one of ours is tightened, a directory that others use is left as it is", () => {
    const ours = join(root, "ours");
    const shared = join(root, "shared");
    for (const path of [ours, shared]) {
      mkdirSync(path);
      chmodSync(path, 0o755);
    }
    writeFileSync(join(ours, "hermes.db"), "");
    writeFileSync(join(shared, "thesis.txt"), "");
    expect([openStateDirectory(ours).ok, openStateDirectory(shared).ok]).toEqual([true, true]);
    expect([modeOf(ours), modeOf(shared)]).toEqual([0o700, 0o755]);
  });

  test("a file in its place, or on the way to it, is said in one line that names the path", () => {
    const file = join(root, "file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "state")]) {
      const result = openStateDirectory(path);
      expect(result).toMatchObject({ ok: false });
      expect(result.ok ? "" : result.message).toMatch(/^The state directory .*file.* cannot be used: [^\n]*\.$/);
    }
  });

  test("a place where nothing can be made is refused", () => {
    expect(openStateDirectory("/proc/hermes-state")).toMatchObject({ ok: false });
  });

  test("a private file is private even when it was not", () => {
    const path = join(root, "hermes.db");
    writeFileSync(path, "kept", { mode: 0o644 });
    ensurePrivateFile(path);
    expect([modeOf(path), readFileSync(path, "utf8")]).toEqual([0o600, "kept"]);
  });
});

describe("the runner key", () => {
  test("is made once, privately, also over an empty file", () => {
    writeFileSync(join(root, "runner.key"), "");
    const key = ensureRunnerKey(root);
    expect(key).toMatch(/^[\w-]{40,}$/);
    expect(ensureRunnerKey(root)).toBe(key);
    expect(modeOf(join(root, "runner.key"))).toBe(0o600);
    expect(readdirSync(root)).toEqual(["runner.key"]);
  });

  test("is never used for a runner on another machine, and gives way to a configured one", () => {
    const keyFor = (baseUrl: string, apiKey?: string) => {
      const result = readSettings({
        HERMES_WEBUI_STATE_DIR: root,
        HERMES_WEBUI_RUNNER_BASE_URL: baseUrl,
        HERMES_WEBUI_RUNNER_API_KEY: apiKey,
      });
      return result.ok ? resolveRunnerKey(result.settings) : "refused";
    };
    expect(keyFor("http://runner.example")).toBeNull();
    expect(keyFor("http://runner.example", "theirs")).toBe("theirs");
    expect(keyFor("http://127.0.0.1:8788")).toBe(ensureRunnerKey(root));
  });
});
