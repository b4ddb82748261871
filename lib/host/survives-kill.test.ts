/**
 * The first test of the house: the owner of a run is killed in a step with two open prompts and one
 * plain call; another owner takes over, the prompts are answered, and the replay is what was seen.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { afterEach, describe, expect, it } from "vitest";
import { foldRunAll } from "#fold/fold-run";
import { openPrompts } from "#fold/open-work";
import type { RunEvent } from "#protocol/events";
import { parseEvent } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { openTestHost } from "#testing/test-host";
import type { TestHost } from "#testing/test-host";
import { until } from "#testing/until";

const startedSchema = z.object({ ok: z.literal(true), value: z.object({ run_id: z.string() }) });
const SCRIPT = ["say Two things need you.", "", "run rm -r one", "run rm -r two", "run echo plain > plain.txt", "", "say Done."].join("\n");

let folder = "";
let child: ChildProcess | null = null;
let host: TestHost | null = null;

afterEach(async () => {
  child?.kill("SIGKILL");
  await host?.shut();
  host = null;
  await rm(folder, { recursive: true, force: true });
});

describe("H1, H2, C1: a run outlives its owner", () => {
  it("waits again with the same prompts, goes on when answered, and replays as it was seen", async () => {
    folder = await mkdtemp(join(tmpdir(), "survives-"));
    const runId = await startInChild(SCRIPT);
    // A watcher in another process sees both prompts, then the owner dies.
    const before = await seenUntil(runId, (view) => openPrompts(view).length === 2 && view.status === "awaiting_approval");
    child?.kill("SIGKILL");

    host = await openTestHost({ folder });
    const owner = host;
    const seen: RunEvent[] = [];
    const watching = collect(owner, runId, seen);
    await until(() => owner.host.liveRun(runId) !== undefined);
    const prompts = openPrompts(owner.host.liveRun(runId)?.view() ?? before.view);
    expect(prompts.map(idOf)).toEqual(openPrompts(before.view).map(idOf));

    // The second is answered first: the first still waits, and nothing runs before it.
    const [first, second] = prompts.map(idOf);
    expect(await owner.host.respondApproval(runId, second ?? "", "deny")).toMatchObject({ ok: true, value: { accepted: true } });
    expect(owner.host.liveRun(runId)?.view().status).toBe("awaiting_approval");
    expect(await owner.host.respondApproval(runId, first ?? "", "once")).toMatchObject({ ok: true, value: { accepted: true } });
    await watching;

    // J1: one story without gap; what was seen before the kill is its beginning.
    const replay = await owner.journal.readRunEvents(runId, 0, 10_000);
    expect(replay.map((event) => event.seq)).toEqual(replay.map((_, index) => index + 1));
    expect(replay.slice(0, before.events.length)).toEqual(before.events);
    expect(seen).toEqual(replay);
    const view = foldRunAll(null, replay);
    expect(view).toEqual(await owner.journal.readView(runId));
    expect(view).toMatchObject({ status: "completed", terminal_state: "completed" });
    expect(view.parts.flatMap((part) => (part.type === "tool" ? [part.status] : []))).toEqual(["error", "denied", "ok"]);
    expect(await readFile(join(folder, "workspace", "plain.txt"), "utf8")).toBe("plain\n");
    expect(view.parts.filter((part) => part.type === "text").map((part) => part.text)).toEqual(["Two things need you.", "Done."]);
  });

  it("ends as interrupted when a call was running, and says what was known", async () => {
    folder = await mkdtemp(join(tmpdir(), "survives-"));
    const runId = await startInChild("say Working.\nrun echo begun; sleep 60");
    const before = await seenUntil(runId, (view) => view.parts.some((part) => part.type === "tool" && part.stdout.includes("begun")));
    child?.kill("SIGKILL");

    host = await openTestHost({ folder });
    const owner = host;
    // The kernel may take a moment to end the child; until then its lease still counts.
    await until(async () => (await owner.journal.readView(runId))?.terminal_state !== null);
    const view = await host.journal.readView(runId);
    expect(view).toMatchObject({ status: "failed", terminal_state: "interrupted", error: { code: "runtime_interrupted" } });
    expect(view?.parts.find((part) => part.type === "tool")).toMatchObject({ status: "interrupted", stdout: "begun\n" });
    expect(view?.error?.diagnostics).toMatchObject({ process: "web", pid: child?.pid });
    const replay = await host.journal.readRunEvents(runId, 0, 1_000);
    expect(replay.slice(0, before.events.length)).toEqual(before.events);
    expect(replay.filter((event) => event.terminal)).toHaveLength(1);
  });
});

async function startInChild(message: string): Promise<string> {
  child = spawn(process.execPath, ["--import", "tsx", "lib/testing/owner-process.ts", folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  await lines.next();
  child.stdin?.write(`${JSON.stringify({ message })}\n`);
  return startedSchema.parse(JSON.parse(String((await lines.next()).value))).value.run_id;
}

/** What an observer of another process has seen by the time the run looks like this. */
async function seenUntil(runId: string, looks: (view: RunView) => boolean): Promise<{ readonly events: readonly RunEvent[]; readonly view: RunView }> {
  const { openDatabase } = await import("#db/open-database");
  const { createJournal } = await import("#journal/libsql-journal");
  const database = await openDatabase({ url: `file:${join(folder, "hermes.db")}` });
  const journal = createJournal({ database, epoch: null, now: () => Date.now() / 1000 });
  const events: RunEvent[] = [];
  const stop = new AbortController();
  try {
    for await (const chunk of journal.tailRun(runId, 0, stop.signal)) {
      events.push(...eventsIn(chunk.text));
      const view = foldRunAll(null, events);
      if (looks(view)) return { events, view };
    }
  } finally {
    stop.abort();
    await journal.close();
    database.close();
  }
  throw new Error("The run ended before it looked as expected.");
}

async function collect(owner: TestHost, runId: string, into: RunEvent[]): Promise<void> {
  for await (const chunk of owner.journal.tailRun(runId, 0, AbortSignal.timeout(15_000))) into.push(...eventsIn(chunk.text));
}

function eventsIn(frames: string): readonly RunEvent[] {
  return frames
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => parseEvent(JSON.parse(line.slice(6))))
    .filter((event): event is RunEvent => event !== null && event.run_id !== null);
}

function idOf(prompt: ReturnType<typeof openPrompts>[number]): string {
  return prompt.type === "approval" ? prompt.approval_id : prompt.clarify_id;
}
