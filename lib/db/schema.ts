/**
 * The database, one file for everything. Triggers and partial indexes that Drizzle cannot say live
 * in custom migrations beside the generated ones (`drizzle/`):
 *  - `events_after_terminal`: refuses an event of a run that has its terminal one (J3)
 *  - `fence_check`: refuses a write of an owner that was declared lost (H1)
 *  - `runs_one_active`: at most one unfinished run per session
 *  - `list_version_*`: bump `meta.list_version` when something that the session list shows changes
 * Times are Unix seconds with a fraction. JSON columns are text, parsed by zod where they are read.
 */
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** `list_version` and other single facts. */
export const meta = sqliteTable("meta", { key: text().primaryKey(), value: integer().notNull() });

/**
 * Processes that own live runs. `epoch` rises and is never reused; it is the fence of every write.
 * A lost owner stays as a row with `lost_at`, so that a late writer is refused whatever the clock says.
 */
export const owners = sqliteTable("owners", {
  epoch: integer().primaryKey({ autoIncrement: true }),
  kind: text({ enum: ["web", "runner"] }).notNull(),
  pid: integer().notNull(),
  /** The process's own start mark, so that a reused pid is not believed. */
  pid_started: text().notNull(),
  started_at: real().notNull(),
  expires_at: real().notNull(),
  lost_at: real(),
});

/** Always empty: inserting an epoch asks the `fence_check` trigger whether its owner still owns. */
export const fence = sqliteTable("fence", { id: integer().primaryKey(), epoch: integer().notNull() });

export const projects = sqliteTable("projects", {
  project_id: text().primaryKey(),
  name: text().notNull(),
  color: text(),
  created_at: real().notNull(),
});

export const sessions = sqliteTable(
  "sessions",
  {
    session_id: text().primaryKey(),
    title: text().notNull(),
    title_source: text({ enum: ["none", "fallback", "model", "user"] }).notNull(),
    profile: text().notNull(),
    project_id: text().references(() => projects.project_id, { onDelete: "set null" }),
    workspace: text().notNull(),
    provider: text(),
    model: text(),
    reasoning: text(),
    pinned: integer({ mode: "boolean" }).notNull().default(false),
    archived: integer({ mode: "boolean" }).notNull().default(false),
    yolo: integer({ mode: "boolean" }).notNull().default(false),
    parent_session_id: text(),
    /** A child run's session, which the list leaves out. */
    hidden: integer({ mode: "boolean" }).notNull().default(false),
    created_at: real().notNull(),
    updated_at: real().notNull(),
    last_message_at: real(),
    preview: text(),
    /** Last seq of the session's own log. */
    log_seq: integer().notNull().default(0),
    /** Position of the newest event that a person has seen. */
    seen_position: integer().notNull().default(0),
    /** JSON: goal, status, turns_used, max_turns, last_verdict, last_reason, judge_failures; null without a goal. */
    goal: text(),
    /** Why queued items wait for a person, or null. */
    queue_held: text(),
    /** JSON array of pattern keys approved for this session. */
    approved_patterns: text().notNull().default("[]"),
  },
  (table) => [
    index("sessions_updated").on(table.archived, table.hidden, table.updated_at),
    index("sessions_project").on(table.project_id),
    index("sessions_profile").on(table.profile),
  ],
);

export const runs = sqliteTable(
  "runs",
  {
    run_id: text().primaryKey(),
    session_id: text()
      .notNull()
      .references(() => sessions.session_id, { onDelete: "cascade" }),
    turn_id: text().notNull(),
    source: text().notNull(),
    /** JSON of the RunRequest. */
    request: text().notNull(),
    owner_epoch: integer().notNull(),
    status: text().notNull(),
    terminal_state: text(),
    last_seq: integer().notNull(),
    pending_approval_id: text(),
    pending_clarify_id: text(),
    error: text(),
    result: text(),
    usage: text(),
    input_tokens: integer(),
    output_tokens: integer(),
    cost_usd: real(),
    /** The undo or retry that took it out, rising over the session; null while it is in the transcript. */
    rewind: integer(),
    started_at: real().notNull(),
    ended_at: real(),
    /** Position of its first event: the order of runs in a session. */
    position: integer().notNull(),
  },
  (table) => [
    index("runs_session").on(table.session_id, table.position),
    index("runs_owner").on(table.owner_epoch, table.status),
  ],
);

/** The folded view of a run as of `last_seq`, without its parts, which are rows of their own. */
export const runViews = sqliteTable("run_views", {
  run_id: text()
    .primaryKey()
    .references(() => runs.run_id, { onDelete: "cascade" }),
  last_seq: integer().notNull(),
  view: text().notNull(),
});

/**
 * The parts of a stored view, in pieces that are only appended: piece 0 is the part as JSON (with an
 * empty `text` where it is one that grows), the pieces above it are that text. A long answer is so
 * written once, not anew with each snapshot.
 */
export const runViewParts = sqliteTable(
  "run_view_parts",
  {
    run_id: text()
      .notNull()
      .references(() => runs.run_id, { onDelete: "cascade" }),
    part: integer().notNull(),
    piece: integer().notNull(),
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.part, table.piece] })],
);

/** Run events and session log in one commit order. `run_id` null: the session's own log. */
export const events = sqliteTable(
  "events",
  {
    position: integer().primaryKey({ autoIncrement: true }),
    session_id: text()
      .notNull()
      .references(() => sessions.session_id, { onDelete: "cascade" }),
    run_id: text().references(() => runs.run_id, { onDelete: "cascade" }),
    seq: integer().notNull(),
    type: text().notNull(),
    terminal: integer({ mode: "boolean" }).notNull(),
    envelope: text().notNull(),
  },
  (table) => [index("events_session").on(table.session_id, table.position)],
);

/** The last event of sessions that are gone, for streams that were open; kept a day. */
export const tombstones = sqliteTable("tombstones", {
  session_id: text().primaryKey(),
  envelope: text().notNull(),
  deleted_at: real().notNull(),
});

export const queueItems = sqliteTable(
  "queue_items",
  {
    queue_id: text().primaryKey(),
    session_id: text()
      .notNull()
      .references(() => sessions.session_id, { onDelete: "cascade" }),
    mode: text({ enum: ["queue", "steer", "interrupt"] }).notNull(),
    /** `source` of the run that it becomes: queue, steer (left over), process. */
    source: text().notNull().default("queue"),
    message: text().notNull(),
    /** JSON array of Attachment. */
    attachments: text().notNull().default("[]"),
    created_at: real().notNull(),
    /** Order within the session; reordering writes a number between two others. */
    rank: real().notNull(),
  },
  (table) => [index("queue_session").on(table.session_id, table.rank)],
);

export const attachments = sqliteTable(
  "attachments",
  {
    attachment_id: text().primaryKey(),
    session_id: text()
      .notNull()
      .references(() => sessions.session_id, { onDelete: "cascade" }),
    name: text().notNull(),
    mime: text().notNull(),
    size: integer().notNull(),
    is_image: integer({ mode: "boolean" }).notNull(),
    created_at: real().notNull(),
  },
  (table) => [index("attachments_session").on(table.session_id)],
);

/** Answers kept for repeated requests (24 h), by route and key. */
export const idempotency = sqliteTable(
  "idempotency",
  {
    route: text().notNull(),
    key: text().notNull(),
    body_hash: text().notNull(),
    status: integer().notNull(),
    answer: text().notNull(),
    created_at: real().notNull(),
  },
  (table) => [primaryKey({ columns: [table.route, table.key] }), index("idempotency_created").on(table.created_at)],
);

/** Logins, by hash of the cookie's token. */
export const logins = sqliteTable("logins", {
  token_hash: text().primaryKey(),
  created_at: real().notNull(),
  expires_at: real().notNull(),
});

/** What each message says, for search: rows are (run, session, text); an FTS5 table over it is a custom migration. */
export const searchRows = sqliteTable(
  "search_rows",
  {
    row_id: integer().primaryKey({ autoIncrement: true }),
    run_id: text()
      .notNull()
      .references(() => runs.run_id, { onDelete: "cascade" }),
    session_id: text()
      .notNull()
      .references(() => sessions.session_id, { onDelete: "cascade" }),
    body: text().notNull(),
    created_at: real().notNull(),
  },
  (table) => [index("search_run").on(table.run_id), index("search_session").on(table.session_id)],
);
