/** Runs that are as real as the journal needs them, for benches: rows, a writer that numbers and folds. */
import type { Database } from "#db/database";
import { openDatabase } from "#db/open-database";
import { foldRun } from "#fold/fold-run";
import type { AppendSource, Journal, RunAppend } from "#journal/journal";
import { createJournal } from "#journal/libsql-journal";
import { TERMINAL_TYPES, type RunEvent, type RunEventBody } from "#protocol/events";
import type { RunView } from "#protocol/run-view";

export async function openJournal(file: string): Promise<{ readonly database: Database; readonly journal: Journal }> {
  const database = await openDatabase({ url: `file:${file}` });
  await database.execute("INSERT INTO owners (epoch, kind, pid, pid_started, started_at, expires_at) VALUES (1, 'web', 1, 'bench', 0, 9e9)");
  return { database, journal: createJournal({ database, epoch: 1, now: () => Date.now() / 1000 }) };
}

export async function startRun(database: Database, journal: Journal, runId: string): Promise<BenchWriter> {
  const sessionId = runId.replace("run_", "ses_");
  const writer = new BenchWriter(runId, sessionId);
  writer.emit({
    type: "run.started",
    payload: {
      message: { id: "msg_1", text: "Go", attachments: [] },
      source: "webui",
      profile: "default",
      workspace: "/",
      provider: "demo",
      model: "demo",
      toolsets: [],
      turn_id: "turn_1",
      controls: [],
      continues: null,
    },
  });
  await database.batch([
    {
      sql: "INSERT INTO sessions (session_id, title, title_source, profile, workspace, created_at, updated_at) VALUES (?, 'Bench', 'none', 'default', '/', 1, 1)",
      args: [sessionId],
    },
    {
      sql: `INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, started_at, position)
            VALUES (?, ?, 'turn_1', 'webui', '{}', 1, 'running', 0, 1, 0)`,
      args: [runId, sessionId],
    },
  ]);
  await journal.enqueue(writer);
  return writer;
}

export function token(delta: string): RunEventBody {
  return { type: "token.delta", payload: { message_id: "msg_01JABCDEFGHJKMNPQRSTVWXYZ", segment_id: "seg_01JABCDEFGHJKMNPQRSTVWXYZ", delta, content_type: "text/markdown" } };
}

export function done(): RunEventBody {
  return { type: "done", payload: { status: "completed", finish: "stop", usage: null, result: null, last_seq: 1 } };
}

export class BenchWriter implements AppendSource {
  pending: RunEvent[] = [];
  #seq = 0;
  #view: RunView | null = null;

  constructor(
    readonly runId: string,
    readonly sessionId: string,
  ) {}

  /** Numbers and folds, as a run's writer does before the journal has to do with it. */
  emit(body: RunEventBody): void {
    this.#seq += 1;
    const envelope = { event_id: `${this.runId}:${this.#seq}`, seq: this.#seq, run_id: this.runId, session_id: this.sessionId };
    const event: RunEvent = { ...envelope, created_at: 1778750000.123, terminal: TERMINAL_TYPES.has(body.type), ...body };
    this.#view = foldRun(this.#view, event);
    this.pending.push(event);
  }

  take(): RunAppend | null {
    if (this.#view === null || this.pending.length === 0) return null;
    const events = this.pending;
    this.pending = [];
    return { events, view: this.#view };
  }
}
