/** Much at once: many sessions, a long journal, readers that do not read. */
import { connect, type Socket } from "node:net";
import { readFileSync } from "node:fs";
import { until } from "#testing/until";
import { done, openJournal, startRun, token } from "../../bench/bench-run";
import { SEES_PROCESSES } from "../process-traces";
import type { Stand } from "../stand";
import { RUN_WITHIN_MS, type Trial, type TrialKind } from "../trial";

const LONG_EVENTS = 40_000;
const LONG_RUN = "run_00000000000000000000000000";
const LONG_SESSION = LONG_RUN.replace("run_", "ses_");
const STALLED = 100;
const STALLED_COST_BYTES = 100 * 1024 * 1024;
/** Read and shown like any other; the rest of a minute is for a busy machine. */
const OPENS_WITHIN_MS = 10_000;

export const LOAD_KINDS: readonly TrialKind[] = [
  { name: "many sessions", stand: (random) => ({ env: { HERMES_MAX_CONCURRENT_RUNS: String(random.between(2, 6)) } }), play: manySessions },
  { name: "large journal", prepare: writeLongRun, play: largeJournal },
  { name: "slow observer", play: slowObserver },
];

/** More runs than slots, each watched, some through the session; the web process may die among them. */
async function manySessions(trial: Trial): Promise<void> {
  const count = trial.random.between(8, 14);
  const turns = [];
  for (let index = 0; index < count; index += 1) {
    turns.push(await trial.turn(trial.storyteller.tell({ acts: trial.random.between(1, 3) })));
    if (trial.random.chance(0.4)) trial.watch({ kind: "session", id: turns[index]?.started.session_id ?? "" });
  }
  if (trial.random.chance(0.5)) {
    const pid = trial.stand.signal("web", trial.random.pick(["SIGKILL", "SIGTERM"] as const));
    trial.tell("killed the web process");
    await trial.stand.replaced("web", pid);
  }
  for (const turn of turns) {
    await trial.ended(turn);
    const view = turn.observer.viewOf(turn.started.stream_id);
    const said = view?.parts.findLast((part) => part.type === "text");
    trial.check(view?.terminal_state === "completed" && said?.text.endsWith(turn.story.ending) === true, `H2 ${turn.started.stream_id}: ended ${String(view?.terminal_state)}, saying ${said?.text.slice(-80) ?? "nothing"}`);
  }
}

/** A finished run as if it had been lived through, in a database that nobody has opened yet. */
async function writeLongRun(stand: Stand): Promise<void> {
  const { database, journal } = await openJournal(stand.databaseFile);
  const writer = await startRun(database, journal, LONG_RUN);
  for (let count = 0; count < LONG_EVENTS; count += 1) {
    writer.emit(token(`w${count} `));
    if (count % 2000 === 0) await journal.enqueue(writer);
  }
  writer.emit(done());
  await journal.enqueue(writer);
  await journal.close();
  await database.execute("UPDATE owners SET lost_at = 1");
  await database.execute({ sql: "UPDATE sessions SET workspace = ?", args: [stand.workspace] });
  database.close();
}

async function largeJournal(trial: Trial): Promise<void> {
  const opened = performance.now();
  const session = await trial.product.session(LONG_SESSION);
  trial.check(performance.now() - opened < OPENS_WITHIN_MS, `2: opening the session took ${Math.round(performance.now() - opened)} ms`);
  const part = session.runs[0]?.parts[0];
  trial.check(part?.type === "text" && part.text.endsWith(`w${LONG_EVENTS - 1} `), "C1: the long answer is not whole");
  const tabs = [trial.watch({ kind: "run", id: LONG_RUN }), trial.watch({ kind: "session", id: LONG_SESSION })];
  for (let cuts = trial.random.between(0, 4); cuts > 0; cuts -= 1) {
    const at = trial.random.between(1, LONG_EVENTS);
    await until(() => tabs.some((tab) => tab.events.length >= at), RUN_WITHIN_MS);
    for (const tab of tabs) tab.cut();
  }
  if (trial.random.chance(0.5)) {
    const pid = trial.stand.signal("web", "SIGKILL");
    trial.tell("killed the web process");
    await trial.stand.replaced("web", pid);
  }
  const turn = await trial.turn(trial.storyteller.tell({ acts: 2 }), LONG_SESSION);
  await trial.ended(turn);
  await until(() => tabs.every((tab) => tab.viewOf(LONG_RUN)?.terminal_state != null), RUN_WITHIN_MS);
}

/** Readers that stopped reading cost little, slow nobody, and get everything when they read again. */
async function slowObserver(trial: Trial): Promise<void> {
  const script = ["stream 4000 0", "run seq 1 30000", "", "stream 200 10", "say All of it."].join("\n");
  // Once without them: what a process grows by in its first work is no reader's cost.
  await trial.ended(await trial.turn({ script, ending: "All of it.", events: 200 }));
  const first = await trial.turn({ script, ending: "All of it.", events: 200 });
  const before = residentBytes(trial.stand.pidOf("web"));
  const sockets = Array.from({ length: STALLED }, () => openStalled(trial.stand.port, first.started.stream_id));
  await trial.ended(first);
  const grown = residentBytes(trial.stand.pidOf("web")) - before;
  trial.tell(`the web process grew by ${Math.round(grown / 1024 / 1024)} MiB with ${STALLED} readers that do not read`);
  trial.check(grown < STALLED_COST_BYTES, `2.4: ${STALLED} readers that stopped cost ${Math.round(grown / 1024 / 1024)} MiB`);
  await Promise.all(sockets.slice(0, 5).map((socket) => readsToTheEnd(trial, socket, first.observer.events.length)));
  for (const socket of sockets) socket.destroy();
}

function openStalled(port: number, runId: string): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => socket.destroy());
  socket.write(`GET /api/chat/stream?stream_id=${runId} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  return socket;
}

async function readsToTheEnd(trial: Trial, socket: Socket, events: number): Promise<void> {
  let text = "";
  socket.on("data", (piece) => (text += piece.toString("utf8")));
  socket.resume();
  await until(() => text.includes("event: done"), RUN_WITHIN_MS);
  const ids = text.match(/^id: /gm)?.length ?? 0;
  trial.check(ids === events, `2.4: a reader that had stopped got ${ids} of ${events} events`);
}

function residentBytes(pid: number | null): number {
  if (!SEES_PROCESSES || pid === null) return 0;
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1] ?? 0) * 4096;
}
