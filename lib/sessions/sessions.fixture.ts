/** A sessions room on a real database file, and runs with real stories in it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { foldRunAll } from "#fold/fold-run";
import { story, type StoryOptions } from "#fold/run-story.fixture";
import { openWorkbench, type Workbench } from "#journal/journal.fixture";
import { createRedactor } from "#journal/redact";
import { createIdFactory } from "#protocol/ids";
import type { RunEvent, RunEventBody } from "#protocol/events";
import { createSession } from "./create-session";
import type { SessionDefaults } from "./session-defaults";
import type { SessionsRoom } from "./sessions-room";

export interface TestRoom extends Workbench {
  readonly room: SessionsRoom;
  readonly defaults: SessionDefaults;
  session(title?: string): Promise<string>;
  /** Writes a run with these bodies after its start; it is left unfinished when none of them ends it. */
  run(sessionId: string, bodies: readonly RunEventBody[], options?: StoryOptions): Promise<string>;
}

/** Known to the room, as a key of a provider would be. */
export const TEST_SECRETS: readonly string[] = ["kite-string-secret-9"];

export async function openTestRoom(): Promise<TestRoom> {
  const bench = await openWorkbench();
  const workspace = join(bench.folder, "workspace");
  mkdirSync(workspace);
  const createId = createIdFactory();
  let clock = 1_000;
  const room: SessionsRoom = {
    database: bench.database,
    journal: bench.journal,
    createId,
    redactor: createRedactor(() => TEST_SECRETS),
    now: () => {
      clock += 1;
      return clock;
    },
  };
  const defaults: SessionDefaults = {
    profile: (name) => Promise.resolve(name === "default" || name === "work" ? { workspace: null } : null),
    hasProvider: (_profile, provider) => Promise.resolve(provider !== "nobody"),
    workspace: () => Promise.resolve(workspace),
  };
  return {
    ...bench,
    room,
    defaults,
    session: async (title) => (await createSession(room, defaults, { title })).session_id,
    run: async (sessionId, bodies, options = {}) => {
      const runId = createId("run");
      const events = lawful(story(bodies, { at: room.now(), ...options, runId, sessionId }));
      const view = foldRunAll(null, events);
      await bench.journal.transact([
        {
          sql: `INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, started_at, position)
                VALUES (?, ?, ?, ?, '{}', 1, ?, 0, ?, 0)`,
          args: [runId, sessionId, view.turn_id, view.source, view.status, view.started_at],
        },
        ...bench.journal.runStatements({ events, view }),
        {
          sql: "UPDATE sessions SET updated_at = ?, last_message_at = ?, preview = ? WHERE session_id = ?",
          args: [view.started_at, view.started_at, view.message?.text ?? null, sessionId],
        },
      ]);
      return runId;
    },
  };
}

/** The writer fills these in as it numbers an event. */
function lawful(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.map((event): RunEvent => {
    if (event.type === "done") return { ...event, payload: { ...event.payload, last_seq: event.seq } };
    if (event.type === "cancelled") return { ...event, payload: { ...event.payload, last_seq: event.seq } };
    return event;
  });
}
