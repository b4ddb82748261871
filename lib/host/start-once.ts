/**
 * A start that is asked for twice happens once (contract 4): the same `run_id` (or, without one, the
 * same `client_message_id`) and the same body give the same answer, another body is a conflict.
 *
 * The receipt is written in the transaction that makes the run, so there is never the one without the
 * other, whoever dies when. Kept 24 h. Within this process repeated starts wait for each other; among
 * several processes the database's key decides, and who lost reads the winner's receipt.
 */
import { createHash } from "node:crypto";
import type { InStatement } from "@libsql/client";
import { z } from "zod";
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import { refused, succeeded } from "#protocol/control";
import type { Outcome, RunStartResult, StartRunRequest } from "#protocol/control";
import { eventId } from "#protocol/cursor";
import { CONTROLS_BY_STATUS } from "#protocol/status";
import { KeyedSerial } from "./serial";

const KEPT_S = 24 * 60 * 60;
const ROUTE = "start of a run";

interface Receipt {
  readonly body_hash: string;
  readonly run_id: string;
  readonly title: string;
}
const answerSchema = z.object({ run_id: z.string(), title: z.string() });

/** Makes the receipt's statement, to stand behind everything else in the start's transaction. */
export type WriteReceipt = (runId: string, sessionId: string) => readonly InStatement[];
const NO_RECEIPT: WriteReceipt = () => [];

export class StartOnce {
  private readonly serial = new KeyedSerial();

  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly now: () => number,
  ) {}

  run(asked: StartRunRequest, start: (receipt: WriteReceipt) => Promise<Outcome<RunStartResult>>): Promise<Outcome<RunStartResult>> {
    const key = keyOf(asked);
    return key === null ? start(NO_RECEIPT) : this.serial.run(key, () => this.once(key, asked, start));
  }

  private async once(key: string, asked: StartRunRequest, start: (receipt: WriteReceipt) => Promise<Outcome<RunStartResult>>): Promise<Outcome<RunStartResult>> {
    const hash = hashOf(asked);
    const before = await this.find(key, asked.run_id ?? null);
    if (before !== null) return this.repeat(before, hash);
    const outcome = await start((runId, sessionId) => this.statements(key, hash, runId, sessionId));
    if (outcome.ok || (outcome.error.code !== "run_active" && outcome.error.code !== "conflict")) return outcome;
    const won = await this.find(key, asked.run_id ?? null);
    return won === null ? outcome : this.repeat(won, hash);
  }

  /** A run of that id whose receipt is gone was somebody's too: it is never the answer to another request. */
  private async find(key: string, runId: string | null): Promise<Receipt | null> {
    const [receipts, runs] = await this.database.read([
      { sql: "SELECT body_hash, answer FROM idempotency WHERE route = ? AND key = ? AND created_at > ?", args: [ROUTE, key, this.now() - KEPT_S] },
      { sql: "SELECT run_id FROM runs WHERE run_id = ?", args: [runId] },
    ]);
    const row = receipts?.rows[0];
    if (row !== undefined) return { body_hash: String(row["body_hash"]), ...answerSchema.parse(JSON.parse(String(row["answer"]))) };
    return runId !== null && runs?.rows[0] !== undefined ? { body_hash: "", run_id: runId, title: "" } : null;
  }

  /** The answer that was given: how the run stood when it had just begun. */
  private async repeat(receipt: Receipt, hash: string): Promise<Outcome<RunStartResult>> {
    if (receipt.body_hash !== hash) return refused("idempotency_conflict", "This id was used for another start already.");
    const [started, second] = await this.journal.readRunEvents(receipt.run_id, 0, 2);
    if (started?.type !== "run.started") return refused("run_not_found", "The run that this request started is gone.");
    const queued = second?.type === "status" && second.payload.status === "queued";
    const status = queued ? ("queued" as const) : ("running" as const);
    const { turn_id, provider, model } = started.payload;
    return succeeded({
      ...{ run_id: receipt.run_id, session_id: started.session_id, stream_id: receipt.run_id },
      status,
      started_at: started.created_at,
      cursor: eventId(receipt.run_id, queued ? 2 : 1),
      active_controls: [...CONTROLS_BY_STATUS[status]],
      ...{ turn_id, title: receipt.title, provider, model },
    });
  }

  private statements(key: string, hash: string, runId: string, sessionId: string): readonly InStatement[] {
    const at = this.now();
    return [
      { sql: "DELETE FROM idempotency WHERE created_at <= ?", args: [at - KEPT_S] },
      {
        sql: `INSERT INTO idempotency (route, key, body_hash, status, answer, created_at)
              SELECT ?1, ?2, ?3, 202, json_object('run_id', ?4, 'title', title), ?5 FROM sessions WHERE session_id = ?6`,
        args: [ROUTE, key, hash, runId, at, sessionId],
      },
    ];
  }
}

function keyOf({ run_id, client_message_id }: StartRunRequest): string | null {
  if (run_id !== null && run_id !== undefined) return run_id;
  return client_message_id === null || client_message_id === undefined || client_message_id === "" ? null : `message ${client_message_id}`;
}

/** Null and absent are the same, and the order of keys does not count. */
function hashOf({ run_id: _, ...asked }: StartRunRequest): string {
  return createHash("sha256").update(JSON.stringify(sorted(asked))).digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.entries(value)
    .filter(([, item]) => item !== null && item !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
