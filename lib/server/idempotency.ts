/**
 * A repeated request gives the answer of the first (contract 3): the same route, key and body the same
 * answer, another body a conflict. Only answers that worked are kept, for a day; a request whose key is
 * in flight here waits for that answer. What the work needs to be repeatable itself (a run's id) is
 * reserved durably before it begins, so that a retry after a crash names the same run again.
 */
import { createHash } from "node:crypto";
import type { Database } from "#db/database";
import { AppError } from "#protocol/errors";
import { asAppError } from "./as-app-error";

const KEPT_S = 24 * 60 * 60;
/** Status of a row whose work has begun and not answered. */
const RESERVED = 0;

export interface KeptAnswer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

export interface IdempotentRequest {
  readonly route: string;
  readonly key: string;
  readonly bodyHash: string;
  /** Makes what the work must name again after a crash; null when it needs nothing. */
  readonly reserve: (() => string) | null;
}

interface InFlight {
  readonly bodyHash: string;
  readonly answer: Promise<KeptAnswer>;
}

export class IdempotentAnswers {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #inFlight = new Map<string, InFlight>();

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** The kept answer, or that of `work`. Throws `idempotency_conflict`, or what the work throws. */
  async once(request: IdempotentRequest, work: (reserved: string | null) => Promise<KeptAnswer>): Promise<KeptAnswer> {
    const place = JSON.stringify([request.route, request.key]);
    const running = this.#inFlight.get(place);
    if (running !== undefined) {
      if (running.bodyHash !== request.bodyHash) throw conflict();
      return running.answer;
    }
    const answer = this.#answer(request, work);
    this.#inFlight.set(place, { bodyHash: request.bodyHash, answer });
    try {
      return await answer;
    } finally {
      this.#inFlight.delete(place);
    }
  }

  async #answer(request: IdempotentRequest, work: (reserved: string | null) => Promise<KeptAnswer>): Promise<KeptAnswer> {
    const kept = await this.#find(request);
    if (kept !== null && kept.bodyHash !== request.bodyHash) throw conflict();
    if (kept !== null && kept.status !== RESERVED) return { status: kept.status, body: kept.body };
    const reserved = kept?.body ?? request.reserve?.() ?? null;
    if (kept === null && reserved !== null) await this.#keep(request, { status: RESERVED, body: reserved });
    const answer = await this.#work(request, reserved, work);
    if (answer.status >= 200 && answer.status < 300) await this.#keep(request, answer);
    else if (reserved !== null && answer.status < 500) await this.#release(request);
    return answer;
  }

  /** A refusal frees the key again. What may have happened all the same (no answer in time) keeps its reservation. */
  async #work(request: IdempotentRequest, reserved: string | null, work: (reserved: string | null) => Promise<KeptAnswer>): Promise<KeptAnswer> {
    try {
      return await work(reserved);
    } catch (error) {
      const known = asAppError(error);
      if (reserved !== null && known !== null && known.status < 500) await this.#release(request);
      throw error;
    }
  }

  async #find({ route, key }: IdempotentRequest): Promise<(KeptAnswer & { readonly bodyHash: string }) | null> {
    const { rows } = await this.#database.execute({
      sql: "SELECT body_hash, status, answer FROM idempotency WHERE route = ? AND key = ? AND created_at > ?",
      args: [route, key, this.#now() - KEPT_S],
    });
    const row = rows[0];
    return row === undefined ? null : { bodyHash: String(row["body_hash"]), status: Number(row["status"]), body: String(row["answer"]) };
  }

  async #release({ route, key }: IdempotentRequest): Promise<void> {
    await this.#database.execute({ sql: "DELETE FROM idempotency WHERE route = ? AND key = ? AND status = ?", args: [route, key, RESERVED] });
  }

  async #keep({ route, key, bodyHash }: IdempotentRequest, answer: KeptAnswer): Promise<void> {
    const now = this.#now();
    await this.#database.batch([
      { sql: "DELETE FROM idempotency WHERE created_at <= ?", args: [now - KEPT_S] },
      {
        sql: `INSERT INTO idempotency (route, key, body_hash, status, answer, created_at) VALUES (?, ?, ?, ?, ?, ?)
              ON CONFLICT (route, key) DO UPDATE SET status = excluded.status, answer = excluded.answer`,
        args: [route, key, bodyHash, answer.status, answer.body, now],
      },
    ]);
  }
}

/** Hash of a JSON value that does not depend on the order of keys; `without` names a key that does not count. */
export function hashBody(value: unknown, without: string | null): string {
  const counted = isRecord(value) && without !== null ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== without)) : value;
  return createHash("sha256").update(JSON.stringify(sorted(counted))).digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value ?? null;
  // Entries in a wrapper of their own: an object must not look like a list.
  return { entries: Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, item]) => [key, sorted(item)]) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function conflict(): AppError {
  return new AppError("idempotency_conflict", "This key was used with another request already.");
}
