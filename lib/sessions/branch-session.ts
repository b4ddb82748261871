/**
 * A branch: the transcript up to a run as a session of its own, under new ids throughout, so that
 * either may be changed or deleted without the other. What was rewound does not come along. All of it
 * is one transaction; uploads, which are files, are copied behind it.
 */
import { z } from "zod";
import { foldRunAll } from "#fold/fold-run";
import { readEnvelope } from "#journal/read-views";
import { AppError } from "#protocol/errors";
import { isKnownEvent, type RunEvent, type UnknownEvent } from "#protocol/events";
import type { SessionSummary } from "#protocol/session-shapes";
import { insertSession } from "./new-session";
import { IdRemapper } from "./remap-ids";
import { readSummary } from "./session-summary";
import { cleanTitle } from "./session-title";
import { runActive, type SessionsRoom } from "./sessions-room";
import { runStoryStatements, type RunStory } from "./story-statements";
import { runEventOf } from "./run-story";

export interface BranchRequest {
  readonly sessionId: string;
  /** The last run that comes along; null for all. */
  readonly runId: string | null;
  readonly title: string | null;
}

/** Copies one upload for a session; `attachmentId` is the copy's id. Does nothing when the upload is gone. */
export type CopyAttachment = (original: string, attachmentId: string, sessionId: string) => Promise<void>;

const eventRow = z.object({ run_id: z.string(), envelope: z.string() });

/** Throws `session_not_found`, `run_not_found`, `run_active`. */
export async function branchSession(room: SessionsRoom, copyAttachment: CopyAttachment, request: BranchRequest): Promise<SessionSummary> {
  const parent = await readSummary(room, request.sessionId);
  if (parent.active_stream_id !== null) throw runActive(parent.active_stream_id);
  const sessionId = room.createId("ses");
  const ids = new IdRemapper(room.createId);
  const runs = await readTranscript(room, request);
  const stories = runs.map((events) => copyRun(events, ids, sessionId));
  const title = cleanTitle(room.redactor.text(request.title ?? "")) ?? cleanTitle(`${parent.title} (branch)`);
  const { profile, project_id, workspace, provider, model } = parent;
  await room.journal.transact([
    insertSession({
      ...{ session_id: sessionId, title, profile, project_id, workspace, provider, model },
      ...{ parent_session_id: parent.session_id, hidden: false, now: room.now() },
    }),
    ...stories.flatMap((story) => runStoryStatements(room.journal, story)),
    takeFactsAlong(parent.session_id, sessionId),
  ]);
  for (const attachment of runs.flatMap(attachmentsOf)) await copyAttachment(attachment, ids.id("att", attachment), sessionId);
  return readSummary(room, sessionId);
}

/** The events of the runs up to `runId`, run by run, oldest first. */
async function readTranscript(room: SessionsRoom, { sessionId, runId }: BranchRequest): Promise<readonly (readonly RunEvent[])[]> {
  const args = { session: sessionId, run: runId };
  const upTo = "position <= (SELECT position FROM runs WHERE run_id = :run AND session_id = :session AND rewind IS NULL)";
  const [found, rows] = await room.database.read([
    { sql: "SELECT 1 FROM runs WHERE run_id = :run AND session_id = :session AND rewind IS NULL", args },
    {
      sql: `SELECT e.run_id, e.envelope FROM runs r JOIN events e ON e.run_id = r.run_id
            WHERE r.session_id = :session AND r.rewind IS NULL AND (:run IS NULL OR r.${upTo}) ORDER BY r.position, e.seq`,
      args,
    },
  ]);
  if (runId !== null && found?.rows.length === 0) throw new AppError("run_not_found", "There is no such run in this session.");
  const runs = new Map<string, RunEvent[]>();
  for (const row of rows?.rows ?? []) {
    const { run_id, envelope } = eventRow.parse(row);
    const events = runs.get(run_id) ?? [];
    events.push(known(readEnvelope(JSON.parse(envelope))));
    runs.set(run_id, events);
  }
  return [...runs.values()];
}

function known(event: RunEvent | UnknownEvent): RunEvent {
  if (isKnownEvent(event) && event.run_id !== null) return event;
  throw new AppError("conflict", "A newer version wrote this session; it can be read here, not copied.");
}

function copyRun(events: readonly RunEvent[], ids: IdRemapper, sessionId: string): RunStory {
  const copies = events.map((event) => runEventOf(ids.event(event, sessionId)));
  return { view: foldRunAll(null, copies), events: copies, rewind: null };
}

function attachmentsOf(events: readonly RunEvent[]): readonly string[] {
  const first = events[0];
  if (first?.type !== "run.started") return [];
  return first.payload.message?.attachments.map((attachment) => attachment.attachment_id) ?? [];
}

/** What the list shows of the parent's last message, and how hard its model thinks. Nothing in a copy is news. */
function takeFactsAlong(parentId: string, sessionId: string): { readonly sql: string; readonly args: string[] } {
  return {
    sql: `UPDATE sessions SET seen_position = (SELECT COALESCE(MAX(position), 0) FROM events),
            (reasoning, preview, last_message_at) = (SELECT reasoning, preview, last_message_at FROM sessions WHERE session_id = ?)
          WHERE session_id = ?`,
    args: [parentId, sessionId],
  };
}
