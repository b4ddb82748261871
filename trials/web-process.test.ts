/**
 * The manners of the web process, on the production build under the framework's own command: it ends in
 * order although somebody listens, leaves no file that says it runs, and the database as one file.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { readPidFile } from "#config/pid-file";
import { until } from "#testing/until";
import { buildIsFresh, currentStamp } from "../bin/set-up/build-stamp.mjs";
import { freePortPair } from "./free-ports";

const ROOT = join(import.meta.dirname, "..");
const READY_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 5_000;

let folder: string;
let port: number;
let web: ChildProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "web-process-"));
  mkdirSync(join(folder, "workspace"));
  port = await freePortPair();
  web = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", HOME: folder, HERMES_HOME: folder, HERMES_WEBUI_STATE_DIR: join(folder, "state"), HERMES_WORKSPACE: join(folder, "workspace"), NEXT_TELEMETRY_DISABLED: "1" },
    stdio: "ignore",
  });
  await until(() => isReady(), READY_WITHIN_MS);
}, READY_WITHIN_MS);
afterEach(() => {
  web.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const state = (): string => join(folder, "state");
const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

function isReady(): Promise<boolean> {
  return fetch(url("/api/health"), { signal: AbortSignal.timeout(1_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function start(message: string): Promise<{ readonly session_id: string; readonly stream_id: string }> {
  const answer = await fetch(url("/api/chat/start"), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ message }) });
  return z.object({ session_id: z.string(), stream_id: z.string() }).parse(await answer.json());
}

describe.skipIf(!buildIsFresh(currentStamp()))("the web process", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("ends by %s within five seconds though streams are open and a run is at work, and leaves the database as one file", async (signal) => {
    expect(readPidFile(state(), "web")).toMatchObject({ pid: web.pid, url: `http://127.0.0.1:${port}` });
    const { session_id, stream_id } = await start("say Hello.\n\nsleep 60000");
    const open = await Promise.all([`/api/sessions/${session_id}/stream`, `/api/chat/stream?stream_id=${stream_id}`].map((path) => fetch(url(path))));
    const read = open.map((answer) => answer.text());
    const began = performance.now();
    web.kill(signal);
    await until(() => web.exitCode !== null || web.signalCode !== null, 2 * ENDS_WITHIN_MS);
    expect(performance.now() - began).toBeLessThan(ENDS_WITHIN_MS);
    // By itself, not by its own force.
    expect(web.signalCode).not.toBe("SIGKILL");
    // Ended in order: a cut stream would reject, and what was committed had been sent.
    for (const text of await Promise.all(read)) expect(text).toContain("run.started");
    expect(readPidFile(state(), "web")).toBeNull();
    expect(readdirSync(state()).filter((name) => name.startsWith("hermes.db") || name === "web.json")).toEqual(["hermes.db"]);
  });

  it("says the length of a file's bytes, which the framework leaves out", async () => {
    writeFileSync(join(folder, "workspace", "a.txt"), "0123456789");
    const { session_id } = await start("say Hello.");
    const ask = (headers = {}): Promise<Response> => fetch(url(`/api/files/raw?session_id=${session_id}&path=a.txt`), { headers });
    for (const [headers, length, body] of [[{}, "10", "0123456789"], [{ range: "bytes=2-4" }, "3", "234"]] as const) {
      const answer = await ask(headers);
      expect(answer.headers.get("content-length")).toBe(length);
      expect(await answer.text()).toBe(body);
    }
  });
});
