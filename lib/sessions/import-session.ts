/**
 * A session from a file that anybody may have written. Nothing of it is believed: every event passes
 * its schema, every run must be a lawful story, every id is given anew, secrets go out of it as out of
 * whatever is stored (J6), and all of it is one transaction, so that a refusal leaves nothing. What was taken out stays taken out. An import starts
 * nothing: what was queued or a goal that was at work arrives put aside.
 */
import { z } from "zod";
import { AppError } from "#protocol/errors";
import { parseEvent, runEventSchema, sessionEventSchema, type RunEvent, type SessionEvent, type UnknownEvent } from "#protocol/events";
import { parseId } from "#protocol/ids";
import type { SessionSummary } from "#protocol/session-shapes";
import { EXPORT_FORMAT, EXPORT_VERSION } from "./export-session";
import { insertSession } from "./new-session";
import { IdRemapper } from "./remap-ids";
import { redactStory } from "./redact-story";
import { checkStory, runEventOf } from "./run-story";
import type { SessionDefaults } from "./session-defaults";
import { readSummary } from "./session-summary";
import { cleanTitle } from "./session-title";
import type { SessionsRoom } from "./sessions-room";
import { logStoryStatements, runStoryStatements, type RunStory } from "./story-statements";
import { foldRunAll } from "#fold/fold-run";

const exportSchema = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  session: z.looseObject({ session_id: z.string(), title: z.string(), provider: z.string().max(200).nullish(), model: z.string().max(400).nullish() }),
  runs: z.array(z.object({ run_id: z.string(), events: z.array(runEventSchema).min(1) })),
  log: z.array(sessionEventSchema),
});
type Export = z.infer<typeof exportSchema>;

/** The clock of the machine that made the file may be ahead of this one's. */
const MOST_AHEAD_S = 86_400;

/** Throws `invalid_request` with issues for whatever is not a session's lawful export. */
export async function importSession(room: SessionsRoom, defaults: SessionDefaults, file: unknown): Promise<SessionSummary> {
  const parsed = exportSchema.safeParse(file);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, 20).map((issue) => ({ path: issue.path.map(String).join("."), message: issue.message }));
    throw new AppError("invalid_request", "This is not an exported session.", { issues });
  }
  const exported = parsed.data;
  checkExport(exported, room.now() + MOST_AHEAD_S);
  const sessionId = room.createId("ses");
  const ids = new IdRemapper(room.createId);
  const rewinds = rewindNumbers(exported.log);
  const stories = exported.runs.map((run, index) => {
    const events = copyEvents(room, run.events, ids, sessionId, `runs.${index}`);
    return { view: foldRunAll(null, events), events, rewind: rewinds.get(run.run_id) ?? null };
  });
  const log = exported.log.map((event) => copyLogEvent(room, event, ids, sessionId));
  const { title, provider, model } = room.redactor.json(exported.session).value;
  const last = stories.findLast((story) => story.rewind === null && story.view.message !== null)?.view ?? null;
  await room.journal.transact([
    insertSession({
      ...{ session_id: sessionId, title: cleanTitle(title), profile: "default", project_id: null, workspace: await defaults.workspace() },
      ...{ provider: provider ?? null, model: model ?? null, parent_session_id: null, hidden: false, now: room.now() },
    }),
    ...inOrder(stories, log).flatMap((piece) =>
      piece.kind === "run" ? runStoryStatements(room.journal, piece.story) : logStoryStatements(sessionId, piece.events),
    ),
    ...putAside(room, sessionId, exported.log),
    {
      sql: "UPDATE sessions SET preview = ?, last_message_at = ?, seen_position = (SELECT COALESCE(MAX(position), 0) FROM events) WHERE session_id = ?",
      args: [last?.message?.text.slice(0, 200) ?? null, last?.started_at ?? null, sessionId],
    },
  ]);
  return readSummary(room, sessionId);
}

function checkExport(exported: Export, latest: number): void {
  const { session_id } = exported.session;
  const runIds = new Set<string>();
  for (const [index, run] of exported.runs.entries()) {
    const story = checkStory(run.run_id, run.events);
    if (!story.lawful) throw unlawful(`runs.${index}`, story.problem);
    if (story.view.session_id !== session_id) throw unlawful(`runs.${index}`, "belongs to another session");
    if (runIds.has(run.run_id) || parseId("run", run.run_id) === null) throw unlawful(`runs.${index}`, "has an id that cannot be");
    runIds.add(run.run_id);
    if (run.events.some((event) => event.created_at > latest)) throw unlawful(`runs.${index}`, "happens in the future");
  }
  for (const [index, event] of exported.log.entries()) {
    if (event.session_id !== session_id || event.event_id !== `${session_id}:${event.seq}` || event.seq !== index + 1) {
      throw unlawful(`log.${index}`, "is not numbered without gaps");
    }
    if (event.terminal || event.type === "session.deleted") throw unlawful(`log.${index}`, "ends the session");
    if (event.type === "session.rewound" && event.payload.run_ids.some((runId) => !runIds.has(runId))) throw unlawful(`log.${index}`, "names a run that is not there");
  }
}

function unlawful(path: string, message: string): AppError {
  return new AppError("invalid_request", "This is not the lawful story of a session.", { issues: [{ path, message }] });
}

function copyEvents(room: SessionsRoom, events: readonly RunEvent[], ids: IdRemapper, sessionId: string, path: string): readonly RunEvent[] {
  const copies = events.map((event) => runEventOf(ids.event(event, sessionId)));
  const safe = z.array(runEventSchema).safeParse(redactStory(room.redactor, copies));
  if (!safe.success) throw unlawful(path, "holds a secret where only one of a few words can stand");
  return safe.data;
}

function copyLogEvent(room: SessionsRoom, event: SessionEvent, ids: IdRemapper, sessionId: string): UnknownEvent {
  const copy = ids.event(event, sessionId);
  return { ...copy, payload: room.redactor.json(copy.payload).value };
}

/** What undo, retry and restore came to, by the ids of the file; numbered as the log has them. */
function rewindNumbers(log: readonly SessionEvent[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  let number = 0;
  for (const event of log) {
    if (event.type !== "session.rewound") continue;
    if (event.payload.reason !== "restore") number += 1;
    for (const runId of event.payload.run_ids) {
      if (event.payload.reason === "restore") numbers.delete(runId);
      else numbers.set(runId, number);
    }
  }
  return numbers;
}

type Piece = { readonly kind: "run"; readonly story: RunStory } | { readonly kind: "log"; readonly events: readonly UnknownEvent[] };

/** Runs in their order, each log event behind the last run that had begun by then, and behind every run it names. */
function inOrder(stories: readonly RunStory[], log: readonly UnknownEvent[]): readonly Piece[] {
  const placeOf = new Map(stories.map((story, index) => [story.view.run_id, index + 1]));
  const behind = new Map<number, UnknownEvent[]>();
  let place = 0;
  for (const event of log) {
    const begun = stories.findLastIndex((story) => story.view.started_at <= event.created_at) + 1;
    place = Math.max(place, begun, ...namedRuns(event).map((runId) => placeOf.get(runId) ?? 0));
    behind.set(place, [...(behind.get(place) ?? []), event]);
  }
  const logAt = (index: number): readonly Piece[] => {
    const events = behind.get(index);
    return events === undefined ? [] : [{ kind: "log", events }];
  };
  return [...logAt(0), ...stories.flatMap((story, index): readonly Piece[] => [{ kind: "run", story }, ...logAt(index + 1)])];
}

function namedRuns(event: UnknownEvent): readonly string[] {
  const parsed = parseEvent(event);
  return parsed !== null && parsed.type === "session.rewound" && parsed.run_id === null ? z.array(z.string()).parse(parsed.payload["run_ids"]) : [];
}

/** Queue and goal as they are here: nothing waits, nothing goes on by itself. */
function putAside(room: SessionsRoom, sessionId: string, log: readonly SessionEvent[]) {
  const queue = log.findLast((event) => event.type === "queue.updated");
  const goal = log.findLast((event) => event.type === "goal.updated");
  const emptyQueue =
    queue !== undefined && queue.payload.items.length > 0
      ? room.journal.sessionLogStatements(sessionId, { type: "queue.updated", payload: { items: [] } })
      : [];
  const clearGoal =
    goal !== undefined && (goal.payload.status === "active" || goal.payload.status === "paused")
      ? room.journal.sessionLogStatements(sessionId, { type: "goal.updated", payload: { ...room.redactor.json(goal.payload).value, status: "cleared" } })
      : [];
  return [...emptyQueue, ...clearGoal];
}
