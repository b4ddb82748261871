/** A real database in a folder of its own, sessions and runs in it, and a run's writer as small as can be. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InStatement } from "@libsql/client";
import type { Database } from "#db/database";
import { openDatabase } from "#db/open-database";
import { foldRunAll } from "#fold/fold-run";
import { TERMINAL_TYPES, type RunEvent, type RunEventBody } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { createJournal } from "./libsql-journal";
import { joinStart, pidNamespace } from "./owner-fate";
import type { CommitterTiming } from "./committer";
import type { AppendSource, FrameChunk, Journal, RunAppend } from "./journal";

export interface Workbench {
  readonly folder: string;
  readonly url: string;
  readonly database: Database;
  readonly journal: Journal;
  /** A second process's database and journal, on connections of their own. */
  another(epoch?: number | null): Promise<{ readonly database: Database; readonly journal: Journal }>;
  close(): Promise<void>;
}

export const EPOCH = 1;
export const now = (): number => Math.round(Date.now()) / 1000;

export async function openWorkbench(timing?: CommitterTiming): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  const url = `file:${join(folder, "hermes.db")}`;
  const opened: { database: Database; journal: Journal }[] = [];
  const open = async (epoch: number | null): Promise<{ database: Database; journal: Journal }> => {
    const database = await openDatabase({ url });
    const both = { database, journal: createJournal({ database, epoch, now, ...(timing === undefined ? {} : { timing }) }) };
    opened.push(both);
    return both;
  };
  const { database, journal } = await open(EPOCH);
  await database.execute({
    sql: "INSERT INTO owners (epoch, kind, pid, pid_started, started_at, expires_at) VALUES (?, 'web', ?, ?, 0, 9e9)",
    args: [EPOCH, process.pid, joinStart("workbench", pidNamespace())],
  });
  return {
    folder,
    url,
    database,
    journal,
    another: (epoch = null) => open(epoch),
    close: async () => {
      for (const each of opened) {
        await each.journal.close();
        each.database.close();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function makeSession(database: Database, sessionId: string): Promise<void> {
  await database.execute({
    sql: "INSERT INTO sessions (session_id, title, title_source, profile, workspace, created_at, updated_at) VALUES (?, 'A talk', 'none', 'default', '/tmp', 1, 1)",
    args: [sessionId],
  });
}

export function runRow(runId: string, sessionId: string, epoch = EPOCH): InStatement {
  return {
    sql: `INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, started_at, position)
          VALUES (?, ?, 'turn_1', 'webui', '{}', ?, 'running', 0, 1, 0)`,
    args: [runId, sessionId, epoch],
  };
}

/** A run that has begun and is durable. */
export async function startRun(bench: Pick<Workbench, "database" | "journal">, runId: string, sessionId: string, text = "Hello"): Promise<TestWriter> {
  const exists = await bench.database.execute({ sql: "SELECT 1 FROM sessions WHERE session_id = ?", args: [sessionId] });
  if (exists.rows.length === 0) await makeSession(bench.database, sessionId);
  const writer = new TestWriter(runId, sessionId);
  writer.emit(started(text));
  const append = writer.take();
  if (append === null) throw new Error("A run's first event was just emitted.");
  await bench.journal.transact([runRow(runId, sessionId), ...bench.journal.runStatements(append)], { fenced: true });
  return writer;
}

export class TestWriter implements AppendSource {
  readonly runId: string;
  readonly sessionId: string;
  readonly all: RunEvent[] = [];
  view: RunView | null = null;
  #pending: RunEvent[] = [];

  constructor(runId: string, sessionId: string) {
    this.runId = runId;
    this.sessionId = sessionId;
  }

  emit(...bodies: readonly RunEventBody[]): this {
    for (const body of bodies) {
      const seq = this.all.length + 1;
      const envelope = { event_id: `${this.runId}:${seq}`, seq, run_id: this.runId, session_id: this.sessionId, created_at: now() };
      const event: RunEvent = { ...envelope, terminal: TERMINAL_TYPES.has(body.type), ...body };
      this.all.push(event);
      this.#pending.push(event);
    }
    return this;
  }

  take(): RunAppend | null {
    if (this.#pending.length === 0) return null;
    const events = this.#pending;
    this.#pending = [];
    this.view = foldRunAll(this.view, events);
    return { events, view: this.view };
  }
}

export function started(text: string): RunEventBody {
  return {
    type: "run.started",
    payload: {
      message: { id: "msg_1", text, attachments: [] },
      source: "webui",
      profile: "default",
      workspace: "/tmp",
      provider: "demo",
      model: "demo",
      toolsets: [],
      turn_id: "turn_1",
      controls: ["cancel"],
      continues: null,
    },
  };
}

export function token(delta: string, segment = "seg_1"): RunEventBody {
  return { type: "token.delta", payload: { message_id: "msg_2", segment_id: segment, delta, content_type: "text/markdown" } };
}

export function reasoning(delta: string, segment = "seg_r"): RunEventBody {
  return { type: "reasoning.delta", payload: { segment_id: segment, delta, visibility: "full" } };
}

export function done(): RunEventBody {
  return { type: "done", payload: { status: "completed", finish: "stop", usage: null, result: null, last_seq: 1 } };
}

/** The ids of the frames in a chunk, and their data parsed. */
export function framesOf(chunk: Pick<FrameChunk, "text">): readonly { readonly id: string; readonly event: string; readonly data: unknown }[] {
  return chunk.text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const [id, event, data] = frame.split("\n");
      return { id: id?.slice(4) ?? "", event: event?.slice(7) ?? "", data: JSON.parse(data?.slice(6) ?? "null") };
    });
}

/** Everything that a tail says until it ends. */
export async function collectIds(chunks: AsyncIterable<FrameChunk>): Promise<string[]> {
  const ids: string[] = [];
  for await (const chunk of chunks) ids.push(...framesOf(chunk).map((frame) => frame.id));
  return ids;
}

export function idsUpTo(runId: string, last: number, first = 1): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${runId}:${first + index}`);
}
