/**
 * What has to hold after any trial, whatever was done to the product: everything ended, a replay is
 * what was seen live, views are folds, answers were kept, commands ran once, the next turn works,
 * nothing is left running, and the database keeps every invariant.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openDatabase } from "#db/open-database";
import { foldRunAll } from "#fold/fold-run";
import { openPrompts } from "#fold/open-work";
import { createJournal } from "#journal/libsql-journal";
import type { RunEvent } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { findBrokenInvariants } from "#testing/check-invariants";
import { until } from "#testing/until";
import { Observer } from "./observer";
import { childrenOf } from "./process-traces";
import { RUN_WITHIN_MS, type Trial } from "./trial";

/** Time that the end of a run has for its children: TERM, 3 s, KILL (contract 5.2.5). */
const CHILDREN_WITHIN_MS = 12_000;
const SESSIONS_TRIED_ANEW = 3;
const CATCHES_UP_WITHIN_MS = 20_000;
const ALL_EVENTS = 1_000_000;

/** The product runs when this is called, and has been stopped when it answers. */
export async function checkTrial(trial: Trial): Promise<readonly string[]> {
  trial.person.release();
  const replays = await replayAll(trial);
  const broken = [
    ...comparedWithLive(trial, replays),
    ...(await comparedWithSessions(trial, replays)),
    ...(await trial.person.findBrokenPromises()),
    ...needlessEnds(trial, replays),
    ...commandsRunTwice(trial, replays),
    ...(await newTurns(trial, replays)),
    ...(await childrenLeft(replays)),
  ];
  for (const observer of trial.observers) await observer.stop();
  const exitCode = await trial.stand.stop();
  if (exitCode !== 0) broken.push(`S2: the stop ended with ${exitCode}`);
  broken.push(...(await brokenInDatabase(trial)), ...trial.observers.flatMap((observer) => observer.broken), ...trial.broken);
  return broken;
}

type Replays = ReadonlyMap<string, readonly RunEvent[]>;

/** Every run that any tab has seen, from its first event to its end, as a page loaded now gets it. */
async function replayAll(trial: Trial): Promise<Replays> {
  const runIds = new Set(trial.observers.flatMap((observer) => [...observer.views.keys()]));
  const replays = new Map<string, readonly RunEvent[]>();
  for (const runId of runIds) {
    const replay = new Observer(trial.stand.url, { kind: "run", id: runId });
    trial.person.watch(replay);
    await until(() => replay.viewOf(runId)?.terminal_state != null || replay.broken.length > 0, RUN_WITHIN_MS).catch(() => {
      trial.broken.push(`H2 ${runId}: it does not end; it is ${replay.viewOf(runId)?.status ?? "unseen"}`);
    });
    await replay.stop();
    trial.broken.push(...replay.broken);
    replays.set(runId, replay.events);
  }
  return replays;
}

function comparedWithLive(trial: Trial, replays: Replays): readonly string[] {
  return trial.observers.flatMap((observer) =>
    [...observer.views.keys()].flatMap((runId) => {
      const live = observer.events.filter((event) => event.run_id === runId);
      const replay = replays.get(runId) ?? [];
      const same = isDeepStrictEqual(live, observer.target.kind === "run" ? replay : replay.slice(0, live.length));
      if (!same) return [`C1 ${runId}: ${live.length} events seen live are not the ${replay.length} of the replay`];
      return isDeepStrictEqual(observer.viewOf(runId), foldRunAll(null, live)) ? [] : [`C1 ${runId}: the live view is not the fold of the replay`];
    }),
  );
}

async function comparedWithSessions(trial: Trial, replays: Replays): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const sessionId of sessionsOf(replays)) {
    const { runs } = await trial.product.session(sessionId);
    for (const view of runs) {
      const replay = replays.get(view.run_id);
      if (replay !== undefined && !isDeepStrictEqual({ ...view, rewound: false }, plain(foldRunAll(null, replay)))) {
        broken.push(`C1 ${view.run_id}: the session shows another view than the fold of the replay: ${JSON.stringify(view)} / ${JSON.stringify(foldRunAll(null, replay))}`);
      }
    }
  }
  for (const observer of trial.observers.filter(({ target }) => target.kind === "session")) {
    const behind = (): readonly string[] =>
      [...replays].flatMap(([runId, replay]) => {
        const seen = observer.viewOf(runId)?.last_seq ?? 0;
        return replay[0]?.session_id === observer.target.id && seen < replay.length ? [`C3 ${runId}: the session's stream showed ${seen} of ${replay.length} events`] : [];
      });
    await until(() => behind().length === 0, CATCHES_UP_WITHIN_MS).catch(() => broken.push(...behind()));
  }
  return broken;
}

/** As JSON carries it: keys without a value are absent. */
function plain(view: RunView): unknown {
  return { ...JSON.parse(JSON.stringify(view)), rewound: false };
}

/** Only an owner's death interrupts a run, and never one that merely waited for a person. */
function needlessEnds(trial: Trial, replays: Replays): readonly string[] {
  return [...replays].flatMap(([runId, events]) => {
    const view = foldRunAll(null, events);
    if (view.terminal_state !== "interrupted") return [];
    if (trial.mayInterrupt === "all") return [];
    if (trial.mayInterrupt === "none") return [`5.2 ${runId}: was interrupted although its owner lived: ${view.error?.message ?? ""}`];
    const before = foldRunAll(null, events.slice(0, firstClosing(events)));
    const works = before.parts.some((part) => part.type === "tool" && part.status === "running");
    return before.status.startsWith("awaiting_") && !works && openPrompts(before).length > 0 ? [`5.2.2 ${runId}: only waited for a person, and was interrupted`] : [];
  });
}

/** Where the events that closed an interrupted run begin. */
function firstClosing(events: readonly RunEvent[]): number {
  const after = events.findLastIndex((event) => {
    if (event.type === "tool.done") return event.payload.status !== "interrupted";
    if (event.type === "approval.resolved" || event.type === "clarify.resolved") return event.payload.status !== "cancelled";
    return !event.terminal && event.type !== "usage.final" && event.type !== "reasoning.done" && event.type !== "tool.updated";
  });
  return Math.max(1, after + 1);
}

function commandsRunTwice(trial: Trial, replays: Replays): readonly string[] {
  const lines = readIfThere(join(trial.stand.workspace, "effects.txt")).split("\n").filter((line) => line !== "");
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index).map((line) => `5.2.2: ${line} ran twice`);
  const claimed = [...replays.values()].flatMap((events) =>
    foldRunAll(null, events).parts.flatMap((part) => {
      const command = /command-\d+/.exec(part.type === "tool" ? JSON.stringify(part.arguments) : "")?.[0];
      return part.type === "tool" && part.status === "ok" && command !== undefined ? [command] : [];
    }),
  );
  return [...twice, ...claimed.filter((command) => !lines.includes(command)).map((command) => `H3: ${command} is told as done and did nothing`)];
}

async function newTurns(trial: Trial, replays: Replays): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const [index, sessionId] of sessionsOf(replays).slice(0, SESSIONS_TRIED_ANEW).entries()) {
    const message = `say The next turn works (${index}).`;
    const turn = await trial.turn({ script: message, ending: message.slice(4), events: 5 }, sessionId);
    await trial.ended(turn);
    const view = turn.observer.viewOf(turn.started.stream_id);
    const text = (view?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
    if (view?.terminal_state !== "completed" || text !== message.slice(4)) broken.push(`5.2.2 ${sessionId}: the next turn ended ${String(view?.terminal_state)} with ${JSON.stringify(text)} ${JSON.stringify(view?.error)}`);
  }
  return broken;
}

async function childrenLeft(replays: Replays): Promise<readonly string[]> {
  const runIds = new Set(replays.keys());
  let left = childrenOf(runIds);
  await until(() => (left = childrenOf(runIds)).length === 0, CHILDREN_WITHIN_MS).catch(() => undefined);
  return left.map(({ pid, words }) => `5.2: a child of an ended run is left: ${pid} ${words}`);
}

async function brokenInDatabase(trial: Trial): Promise<readonly string[]> {
  const database = await openDatabase({ url: `file:${trial.stand.databaseFile}` });
  const journal = createJournal({ database, epoch: null, now: () => Date.now() / 1000 });
  try {
    const broken = [...(await findBrokenInvariants({ database, journal, unfinishedAllowed: false }))];
    const texts = await database.execute("SELECT envelope ->> '$.payload.message.text' AS text, COUNT(*) AS runs FROM events WHERE type = 'run.started' AND text LIKE '%End of story%' GROUP BY text HAVING runs > 1");
    broken.push(...texts.rows.map((row) => `3: one start made ${String(row["runs"])} runs: ${JSON.stringify(row["text"])}`));
    for (const observer of trial.observers) {
      for (const runId of observer.views.keys()) {
        const stored = await journal.readRunEvents(runId, 0, ALL_EVENTS);
        const live = observer.events.filter((event) => event.run_id === runId);
        if (!isDeepStrictEqual(stored.slice(0, live.length), live)) broken.push(`J7 ${runId}: what was shown is not what is stored`);
      }
    }
    return broken;
  } finally {
    await journal.close();
    database.close();
  }
}

function sessionsOf(replays: Replays): readonly string[] {
  return [...new Set([...replays.values()].flatMap((events) => events[0]?.session_id ?? []))];
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // No command of this trial got so far.
    return "";
  }
}
