/** The runner as a process: its start, its one place per state directory, its drain, and what a killed or stopped one leaves. */
import { createServer, type Server } from "node:net";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPidFile } from "#config/pid-file";
import type { RunView } from "#protocol/run-view";
import { RunnerProcess } from "#testing/runner-process";
import type { WebReader } from "#testing/test-runner";
import { until } from "#testing/until";

const SLOW = 60_000;
let folder = "";
const closing: { (): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "runner-process-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<RunnerProcess> {
  const runner = await RunnerProcess.start(folder, env);
  closing.push(() => runner.kill());
  return runner;
}

async function readerOf(runner: RunnerProcess): Promise<WebReader> {
  const reader = await runner.reader();
  closing.push(() => reader.close());
  return reader;
}

async function begin(reader: WebReader, message: string, sessionId: string | null = null): Promise<{ readonly run_id: string; readonly session_id: string }> {
  const started = await reader.runtime.adapter.startRun({ session_id: sessionId, message });
  if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
  return started.value;
}

async function view(reader: WebReader, runId: string): Promise<RunView> {
  const found = await reader.journal.readView(runId);
  if (found === null) throw new Error("There is no such run.");
  return found;
}

async function reach(reader: WebReader, runId: string, looks: (found: RunView) => boolean): Promise<RunView> {
  await until(async () => looks(await view(reader, runId)), 15_000);
  return view(reader, runId);
}

/** A process that is stopped in the middle of a commit holds the file's lock: nobody can take over before it goes on. */
async function stopBetweenCommits(runner: RunnerProcess, reader: WebReader): Promise<void> {
  await until(async () => {
    runner.signal("SIGSTOP");
    const written = reader.database.batch(["SELECT 1"]).then(() => true);
    const free = await Promise.race([written, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 500))]);
    if (!free) runner.signal("SIGCONT");
    await written;
    return free;
  });
}

function hasOutput(found: RunView): boolean {
  return found.parts.some((part) => (part.type === "tool" && part.stdout !== "") || (part.type === "text" && part.text !== ""));
}

describe("a runner process", () => {
  it("is the one of its state directory, by a key that it made itself; a second names it and ends", async () => {
    await writeFile(join(folder, "runner.json"), "garbage");
    const runner = await start();
    expect(readPidFile(folder, "runner")).toMatchObject({ pid: runner.pid, url: runner.url });
    expect((await stat(join(folder, "runner.key"))).mode & 0o777).toBe(0o600);
    const reader = await readerOf(runner);
    const { run_id } = await begin(reader, "run echo hello\n\nsay Done.");
    expect(await reach(reader, run_id, (found) => found.terminal_state !== null)).toMatchObject({ terminal_state: "completed", parts: [{ type: "tool", stdout: "hello\n" }, { type: "text", text: "Done." }] });
    expect(await reader.runtime.health()).toMatchObject({ configured: true, ok: true });

    const second = await RunnerProcess.spawn(folder);
    expect(await second.ended()).toEqual({ code: 1, signal: null });
    expect(second.stderr).toContain(`(pid ${runner.pid})`);
    expect(second.stderr.trim().split("\n")).toHaveLength(1);
    expect(readPidFile(folder, "runner")?.pid).toBe(runner.pid);

    runner.signal("SIGTERM");
    expect(await runner.ended()).toEqual({ code: 0, signal: null });
    expect(readPidFile(folder, "runner")).toBeNull();
    await expect(stat(join(folder, "runner.json"))).rejects.toThrow();
  }, SLOW);

  it("says in one line why it cannot start", async () => {
    const taken = await new Promise<Server>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
    });
    closing.push(() => new Promise((resolve) => void taken.close(() => resolve())));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await writeFile(join(folder, "a-file"), "");
    await writeFile(join(folder, "foreign.db"), "this is no database, and stays as it is".repeat(100));
    const starts: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [{ HERMES_WEBUI_RUNNER_BASE_URL: `http://127.0.0.1:${port}` }, /port \d+ of 127\.0\.0\.1 is taken.*EADDRINUSE.*HERMES_WEBUI_RUNNER_BASE_URL/],
      [{ HERMES_WEBUI_RUNNER_BASE_URL: "ftp://127.0.0.1/" }, /^HERMES_WEBUI_RUNNER_BASE_URL must be an http or https URL/],
      [{ HERMES_WEBUI_RUNNER_BASE_URL: "https://127.0.0.1:1" }, /^HERMES_WEBUI_RUNNER_BASE_URL must begin with http:/],
      [{ HERMES_WEBUI_RUNNER_BASE_URL: "http://192.0.2.1:1234" }, /^HERMES_WEBUI_RUNNER_API_KEY must be set/],
      [{ HERMES_WEBUI_STATE_DIR: join(folder, "a-file") }, /^The state directory .* cannot be used/],
      [{ HERMES_WEBUI_DATABASE_URL: `file:${join(folder, "foreign.db")}` }, /is damaged or is no SQLite database; it was left as it is/],
    ];
    for (const [env, line] of starts) {
      const refused = await RunnerProcess.spawn(folder, env);
      expect(await refused.ended()).toEqual({ code: 1, signal: null });
      expect(refused.stderr.trim()).toMatch(line);
      expect(refused.stderr.trim().split("\n")).toHaveLength(1);
    }
    expect(await readFile(join(folder, "foreign.db"), "utf8")).toContain("stays as it is");
    // Nothing of these tries keeps the next one from starting.
    await start();
  }, SLOW);

  it("drains on TERM: what works may finish, what waits is left for the next, and a second signal does not wait", async () => {
    const runner = await start();
    const reader = await readerOf(runner);
    const waiting = await begin(reader, "run rm -rf later");
    const prompt = await reach(reader, waiting.run_id, (found) => found.status === "awaiting_approval");
    const finishing = await begin(reader, "stream 40 20");
    const endless = await begin(reader, "run echo begun; sleep 300");
    await reach(reader, finishing.run_id, hasOutput);
    await reach(reader, endless.run_id, hasOutput);

    runner.signal("SIGTERM");
    await until(async () => (await reader.runtime.health()).reason === "draining");
    expect(await reader.runtime.adapter.startRun({ message: "say No." })).toMatchObject({ ok: false, error: { code: "draining" } });
    expect(await reach(reader, finishing.run_id, (found) => found.terminal_state !== null)).toMatchObject({ terminal_state: "completed" });
    expect(await view(reader, endless.run_id)).toMatchObject({ status: "running" });
    await until(async () => {
      runner.signal("SIGTERM");
      return (await view(reader, endless.run_id)).terminal_state !== null;
    });
    expect(await runner.ended()).toEqual({ code: 0, signal: null });
    expect(await view(reader, endless.run_id)).toMatchObject({
      terminal_state: "interrupted",
      error: { code: "runtime_interrupted", message: expect.stringContaining("shutdown") },
      parts: [{ type: "tool", status: expect.stringMatching(/^(interrupted|cancelled)$/), stdout: "begun\n" }, { type: "error" }],
    });
    expect(await view(reader, waiting.run_id)).toEqual(prompt);

    await start(runner.place());
    const approval = (await reader.runtime.adapter.getRun(waiting.run_id))?.pending_approval_id ?? "";
    expect(await reader.runtime.adapter.respondApproval(waiting.run_id, approval, "once")).toMatchObject({ ok: true, value: { accepted: true } });
    await reach(reader, waiting.run_id, (found) => found.terminal_state === "completed");
  }, SLOW);

  it.runIf(process.platform === "linux")("lets no command read a key out of its environment into anything that is stored or shown (B205)", async () => {
    const key = "sk-canary-7Q2xV9bKp4mT1zR";
    const runner = await start({ OPENAI_API_KEY: key });
    const reader = await readerOf(runner);
    const command = "env; cat /proc/self/environ; tr '\\0' '\\n' < /proc/$PPID/environ; ps eww -e | grep OPENAI_API_KEY; echo read";
    const started = await reader.runtime.adapter.startRun({ message: `run ${command}\n\nsay Done.`, model: "demo/practice" });
    if (!started.ok) throw new Error(started.error.message);
    const { run_id } = started.value;
    const asked = await reach(reader, run_id, (found) => found.status === "awaiting_approval" || found.terminal_state !== null);
    for (const part of asked.parts) if (part.type === "approval") await reader.runtime.adapter.respondApproval(run_id, part.approval_id, "once");
    const found = await reach(reader, run_id, (each) => each.terminal_state === "completed");
    const [tool] = found.parts.flatMap((part) => (part.type === "tool" ? [part] : []));
    expect(tool).toMatchObject({ status: "ok", stdout: expect.stringMatching(/read\n$/) });
    // It could be read, and this is what became of it.
    expect(tool?.stdout).toContain("OPENAI_API_KEY=[redacted]");
    expect(JSON.stringify(found) + runner.stdout + runner.stderr).not.toContain("7Q2xV9bKp4mT1zR");
    for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) expect((await readFile(join(name.parentPath, name.name))).includes("7Q2xV9bKp4mT1zR"), name.name).toBe(false);
    }
  }, SLOW);

  it("that was stopped while it was asked starts nothing later of what its client was told had failed", async () => {
    const runner = await start({ HERMES_RUNNER_LEASE_S: "60" });
    const reader = await readerOf(runner);
    closing.push(() => Promise.resolve(runner.signal("SIGCONT")));
    await stopBetweenCommits(runner, reader);
    const refused = await Promise.all(["one", "two", "three"].map((word) => reader.runtime.adapter.startRun({ message: `say ${word}.` })));
    for (const outcome of refused) expect(outcome).toMatchObject({ ok: false, error: { code: "runner_unavailable", details: { reason: "not_answering" } } });
    runner.signal("SIGCONT");
    await until(async () => (await reader.runtime.health()).ok);
    const { run_id } = await begin(reader, "say After.");
    await reach(reader, run_id, (found) => found.terminal_state !== null);
    const { rows } = await reader.database.execute("SELECT run_id FROM runs");
    expect(rows.map((row) => row["run_id"])).toEqual([run_id]);
  }, SLOW);

  it("that was stopped for longer than its lease cannot append, and ends when it finds out (H1)", async () => {
    const stopped = await start({ HERMES_RUNNER_LEASE_S: "1" });
    const reader = await readerOf(stopped);
    const { run_id } = await begin(reader, "stream 5000 50");
    await reach(reader, run_id, hasOutput);
    closing.push(() => Promise.resolve(stopped.signal("SIGCONT")));
    await stopBetweenCommits(stopped, reader);
    expect(await reader.runtime.health()).toMatchObject({ reason: "not_answering" });

    // It may hold its lease for a moment longer: until then a second one refuses to start.
    let next: RunnerProcess | null = null;
    await until(async () => {
      const tried = await RunnerProcess.spawn(folder, { HERMES_RUNNER_LEASE_S: "1" });
      closing.push(() => tried.kill());
      await until(() => tried.url !== null || tried.exit !== null, SLOW);
      if (tried.exit === null) next = tried;
      return next !== null;
    }, SLOW);
    const ended = await reach(reader, run_id, (found) => found.terminal_state !== null);
    expect(ended).toMatchObject({ terminal_state: "interrupted", error: { diagnostics: { process: "runner", pid: stopped.pid } } });

    stopped.signal("SIGCONT");
    expect(await stopped.ended()).toEqual({ code: 1, signal: null });
    expect(stopped.stderr).toContain("took over");
    expect(await view(reader, run_id)).toEqual(ended);
    expect((await reader.journal.readRunEvents(run_id, 0, 100_000)).filter((event) => event.terminal)).toHaveLength(1);
    expect(readPidFile(folder, "runner")?.pid).not.toBe(stopped.pid);
  }, 2 * SLOW);

  it("that was stopped for longer than its lease has lost its runs though nobody took them: it adds nothing and ends", async () => {
    const stopped = await start({ HERMES_RUNNER_LEASE_S: "1" });
    const reader = await readerOf(stopped);
    const { run_id } = await begin(reader, "stream 5000 50");
    await reach(reader, run_id, hasOutput);
    closing.push(() => Promise.resolve(stopped.signal("SIGCONT")));
    await stopBetweenCommits(stopped, reader);
    const left = await view(reader, run_id);
    const silentSince = performance.now();
    await until(() => performance.now() - silentSince > 2_500, SLOW);
    stopped.signal("SIGCONT");
    expect(await stopped.ended()).toEqual({ code: 1, signal: null });
    expect(await view(reader, run_id)).toEqual(left);

    await start({ HERMES_RUNNER_LEASE_S: "1" });
    expect(await reach(reader, run_id, (found) => found.terminal_state !== null)).toMatchObject({ terminal_state: "interrupted" });
  }, 2 * SLOW);
});
