/**
 * What the host reads and writes of sessions and runs beside the journal: rows as typed values, and
 * the statements that move together with a start. SQL of the host stands here and nowhere else.
 */
import { z } from "zod";
import type { InStatement } from "@libsql/client";
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import { findAttachment } from "#workspace/attachments";
import { attachmentSchema, messageSchema } from "#protocol/event-values";
import type { Attachment, QueueItem, UserMessage } from "#protocol/event-values";
import { goalSchema } from "#protocol/session-shapes";
import { runRequestSchema } from "#protocol/run-request";
import type { RunRequest } from "#protocol/run-request";
import type { RunView } from "#protocol/run-view";

export const storedGoalSchema = goalSchema.extend({ judge_failures: z.number().int().nonnegative() });
export type StoredGoal = z.infer<typeof storedGoalSchema>;

const sessionRowSchema = z.object({
  session_id: z.string(),
  title: z.string(),
  title_source: z.enum(["none", "fallback", "model", "user"]),
  profile: z.string(),
  workspace: z.string(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  reasoning: z.string().nullable(),
  yolo: z.number().transform((value) => value === 1),
  hidden: z.number().transform((value) => value === 1),
  goal: jsonText(storedGoalSchema).nullable(),
  queue_held: z.string().nullable(),
  approved_patterns: jsonText(z.array(z.string())),
  active_run_id: z.string().nullable(),
});
export type SessionRow = z.infer<typeof sessionRowSchema>;

const runRowSchema = z.object({
  run_id: z.string(),
  session_id: z.string(),
  status: z.string(),
  terminal_state: z.string().nullable(),
  owner_epoch: z.number(),
  request: jsonText(runRequestSchema),
});
export type RunRow = z.infer<typeof runRowSchema>;

const queueRowSchema = z.object({
  queue_id: z.string(),
  session_id: z.string(),
  mode: z.enum(["queue", "steer", "interrupt"]),
  source: z.enum(["queue", "steer", "process"]),
  message: z.string(),
  attachments: jsonText(z.array(attachmentSchema)),
  created_at: z.number(),
  rank: z.number(),
});
export type QueueRow = z.infer<typeof queueRowSchema>;

/** The unfinished statuses, as the database's own index on them spells them. */
export const ACTIVE_SQL = "('queued','running','awaiting_approval','awaiting_clarify','paused','cancelling')";

export function toQueueItem(row: QueueRow, held: boolean): QueueItem {
  return { queue_id: row.queue_id, text: row.message, mode: row.mode, created_at: row.created_at, attachments: row.attachments, held };
}

/** Reads of the host. Every one is a statement of its own: decisions are confirmed by the write that follows. */
export class SessionRows {
  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
    /** `$STATE_DIR`, where attachments lie. */
    private readonly stateDirectory: string,
  ) {}

  async session(sessionId: string): Promise<SessionRow | null> {
    const rows = await this.read({
      sql: `SELECT s.*, (SELECT run_id FROM runs r WHERE r.session_id = s.session_id AND r.status IN ${ACTIVE_SQL}) AS active_run_id FROM sessions s WHERE s.session_id = ?`,
      args: [sessionId],
    });
    return rows[0] === undefined ? null : sessionRowSchema.parse(rows[0]);
  }

  async run(runId: string): Promise<RunRow | null> {
    const rows = await this.read({ sql: "SELECT run_id, session_id, status, terminal_state, owner_epoch, request FROM runs WHERE run_id = ?", args: [runId] });
    return rows[0] === undefined ? null : runRowSchema.parse(rows[0]);
  }

  async sessionOfRun(runId: string): Promise<string | null> {
    const [row] = await this.read({ sql: "SELECT session_id FROM runs WHERE run_id = ?", args: [runId] });
    return row === undefined ? null : String(row["session_id"]);
  }

  async queue(sessionId: string): Promise<readonly QueueRow[]> {
    const rows = await this.read({ sql: "SELECT * FROM queue_items WHERE session_id = ? ORDER BY rank, queue_id", args: [sessionId] });
    return rows.map((row) => queueRowSchema.parse(row));
  }

  async queueItem(queueId: string): Promise<QueueRow | null> {
    const rows = await this.read({ sql: "SELECT * FROM queue_items WHERE queue_id = ?", args: [queueId] });
    return rows[0] === undefined ? null : queueRowSchema.parse(rows[0]);
  }

  async attachments(sessionId: string, ids: readonly string[]): Promise<readonly Attachment[] | null> {
    if (ids.length === 0) return [];
    const rows = await this.read({
      sql: "SELECT attachment_id, name, mime, size, is_image FROM attachments WHERE session_id = ? AND attachment_id IN (SELECT value FROM json_each(?))",
      args: [sessionId, JSON.stringify(ids)],
    });
    const found = rows.map((row) => attachmentSchema.parse({ ...row, is_image: row["is_image"] === 1 }));
    const ordered = ids.map((id) => found.find((attachment) => attachment.attachment_id === id));
    if (!ordered.every((attachment) => attachment !== undefined)) return null;
    return Promise.all(ordered.map((attachment) => this.withPath(attachment)));
  }

  /** The model and its tools are told where the file lies. */
  private async withPath(attachment: Attachment): Promise<Attachment> {
    const stored = await findAttachment(this.stateDirectory, attachment.attachment_id);
    return stored === null ? attachment : { ...attachment, path: stored.path };
  }

  /** Runs of the session that still count, oldest first, before `runId` (exclusive) when given. */
  async runIds(sessionId: string): Promise<readonly string[]> {
    const rows = await this.read({ sql: "SELECT run_id FROM runs WHERE session_id = ? AND rewind IS NULL ORDER BY position", args: [sessionId] });
    return rows.map((row) => String(row["run_id"]));
  }

  async views(sessionId: string, beforeRunId: string | null): Promise<readonly RunView[]> {
    const ids = await this.runIds(sessionId);
    const border = beforeRunId === null ? -1 : ids.indexOf(beforeRunId);
    const wanted = border === -1 ? ids : ids.slice(0, border);
    const views: RunView[] = [];
    for (const id of wanted) {
      const view = await this.journal.readView(id);
      if (view !== null) views.push(view);
    }
    return views;
  }

  /** What the session began with: the first message of a run that still counts. */
  async firstMessage(sessionId: string): Promise<UserMessage | null> {
    const [row] = await this.read({
      sql: `SELECT e.envelope ->> '$.payload.message' AS message FROM runs AS r JOIN events AS e ON e.run_id = r.run_id AND e.seq = 1
            WHERE r.session_id = ? AND r.rewind IS NULL AND message IS NOT NULL ORDER BY r.position LIMIT 1`,
      args: [sessionId],
    });
    return row === undefined ? null : messageSchema.parse(JSON.parse(String(row["message"])));
  }

  /** How a run's answer begins, for a title: read from its first deltas, since a look at a long text would copy all of it. */
  async answerStart(runId: string): Promise<string> {
    const rows = await this.read({ sql: "SELECT envelope -> '$.payload.delta' AS delta FROM events WHERE run_id = ? AND type = 'token.delta' ORDER BY seq LIMIT 200", args: [runId] });
    return rows.map((row) => String(JSON.parse(String(row["delta"])))).join("");
  }

  async lastView(sessionId: string): Promise<RunView | null> {
    const last = (await this.runIds(sessionId)).at(-1);
    return last === undefined ? null : this.journal.readView(last);
  }

  /** Sessions without an active run that have something to go on with: queued items that are not held, or an active goal. */
  async sessionsToContinue(): Promise<readonly string[]> {
    const rows = await this.read({
      sql: `SELECT session_id FROM sessions s
            WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.session_id = s.session_id AND r.status IN ${ACTIVE_SQL})
              AND ((s.queue_held IS NULL AND EXISTS (SELECT 1 FROM queue_items q WHERE q.session_id = s.session_id))
                   OR json_extract(s.goal, '$.status') = 'active')`,
      args: [],
    });
    return rows.map((row) => String(row["session_id"]));
  }

  /** Runs, finished or not, whose owner was declared lost. */
  async runsOfLostOwners(): Promise<ReadonlySet<string>> {
    const rows = await this.read({ sql: "SELECT run_id FROM runs WHERE owner_epoch IN (SELECT epoch FROM owners WHERE lost_at IS NOT NULL)", args: [] });
    return new Set(rows.map((row) => String(row["run_id"])));
  }

  private async read(statement: InStatement): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.database.execute(statement)).rows;
  }
}

export interface InsertRun {
  readonly run_id: string;
  readonly turn_id: string;
  readonly epoch: number;
  readonly request: RunRequest;
  readonly now: number;
}

/** The run's row; `position` is filled by `placeRun` once its first event has one. */
export function insertRun(input: InsertRun): InStatement {
  return {
    sql: `INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, started_at, position)
          VALUES (?, ?, ?, ?, ?, ?, 'running', 0, ?, 0)`,
    args: [input.run_id, input.request.session_id, input.turn_id, input.request.source, JSON.stringify(input.request), input.epoch, input.now],
  };
}

export function placeRun(runId: string): InStatement {
  return { sql: "UPDATE runs SET position = (SELECT position FROM events WHERE run_id = ? AND seq = 1) WHERE run_id = ?", args: [runId, runId] };
}

export function touchSession(sessionId: string, now: number, preview: string | null): InStatement {
  return {
    sql: "UPDATE sessions SET updated_at = ?, last_message_at = CASE WHEN ? IS NULL THEN last_message_at ELSE ? END, preview = COALESCE(?, preview) WHERE session_id = ?",
    args: [now, preview, now, preview, sessionId],
  };
}

function jsonText<T extends z.ZodType>(schema: T) {
  return z.string().transform((text, context): z.output<T> => {
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: "not the JSON that belongs here" });
    return z.NEVER;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
