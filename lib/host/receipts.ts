/**
 * What is asked for twice happens once (contract 3 and 4): the same key and the same body give the same
 * answer, another body is a conflict.
 *
 * The receipt is written in the transaction that does what was asked, so there is never the one without
 * the other, whoever dies when. Kept 24 h. Within this process repeated requests wait for each other;
 * among several processes the database's key decides, and who lost reads the winner's receipt.
 */
import { createHash } from "node:crypto";
import type { InStatement } from "@libsql/client";
import { z } from "zod";
import type { Database } from "#db/database";
import { refused } from "#protocol/control";
import type { Outcome, RunStartResult } from "#protocol/control";
import type { ErrorCode } from "#protocol/errors";
import { KeyedSerial } from "./serial";

const KEPT_S = 24 * 60 * 60;
/** How a request is refused that lost against the same one somewhere else. */
const LOST: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["run_active", "conflict", "idempotency_conflict"]);

const receiptSchema = z.object({
  run_id: z.string().nullable(),
  queue_id: z.string().nullable().default(null),
  /** The session's, as the answer told it. */
  title: z.string(),
});
/** What a request made; the rest of its answer is read from the journal. */
export type Receipt = z.infer<typeof receiptSchema>;

/** Makes the receipt's statements, to stand behind everything else in the transaction. */
export type WriteReceipt = (receipt: Receipt) => readonly InStatement[];
export const NO_RECEIPT: WriteReceipt = () => [];

export interface OnceRequest<Answer> {
  readonly key: string;
  /** Null and absent are the same in it, and the order of keys does not count. */
  readonly body: unknown;
  readonly act: (receipt: WriteReceipt) => Promise<Outcome<Answer>>;
  readonly repeat: (receipt: Receipt) => Promise<Outcome<Answer>>;
}

export class Receipts {
  private readonly serial = new KeyedSerial();

  constructor(
    private readonly route: string,
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  once<Answer>(request: OnceRequest<Answer>): Promise<Outcome<Answer>> {
    return this.serial.run(request.key, async () => {
      const hash = createHash("sha256").update(JSON.stringify(sorted(request.body))).digest("hex");
      const before = await this.repeated(request, hash);
      if (before !== null) return before;
      const outcome = await request.act((receipt) => this.statements(request.key, hash, receipt));
      if (outcome.ok || !LOST.has(outcome.error.code)) return outcome;
      return (await this.repeated(request, hash)) ?? outcome;
    });
  }

  /** A receipt that was written without its run gets it. */
  async addRun(key: string, { run_id, title }: RunStartResult): Promise<void> {
    await this.database.execute({
      sql: "UPDATE idempotency SET answer = json_set(answer, '$.run_id', ?, '$.title', ?) WHERE route = ? AND key = ? AND answer ->> '$.run_id' IS NULL",
      args: [run_id, title, this.route, key],
    });
  }

  private async repeated<Answer>({ key, repeat }: OnceRequest<Answer>, hash: string): Promise<Outcome<Answer> | null> {
    const { rows } = await this.database.execute({
      sql: "SELECT body_hash, answer FROM idempotency WHERE route = ? AND key = ? AND created_at > ?",
      args: [this.route, key, this.now() - KEPT_S],
    });
    const row = rows[0];
    if (row === undefined) return null;
    if (row["body_hash"] !== hash) return refused("idempotency_conflict", "This id was used for another request already.");
    return repeat(receiptSchema.parse(JSON.parse(String(row["answer"]))));
  }

  private statements(key: string, hash: string, receipt: Receipt): readonly InStatement[] {
    const at = this.now();
    return [
      { sql: "DELETE FROM idempotency WHERE created_at <= ?", args: [at - KEPT_S] },
      {
        sql: "INSERT INTO idempotency (route, key, body_hash, status, answer, created_at) VALUES (?, ?, ?, 200, ?, ?)",
        args: [this.route, key, hash, JSON.stringify(receipt), at],
      },
    ];
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.entries(value)
    .filter(([, item]) => item !== null && item !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
