/**
 * H1: a run has one owner, by a lease with an epoch that rises and is never reused.
 *
 * The lease is renewed every third of its time. An owner is lost when the database says so (`lost_at`),
 * which is also what refuses its late writes; the wall clock alone, which may be set, decides nothing.
 * A runner that was stopped for longer than its lease says so of itself when it goes on: it has lost its
 * runs whether or not somebody took them, and its supervisor starts a new one. (A web process that owns
 * runs serves pages as well: it goes on unless somebody took over.) Taking over is one transaction: dead
 * owners are marked as lost and their unfinished runs become ours.
 * At most one live owner of kind `runner`: decided inside the insert, so that two that start at one
 * moment are told apart by the database.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { InStatement } from "@libsql/client";
import { z } from "zod";
import type { Database } from "#db/database";
import { AppError } from "#protocol/errors";
import { ACTIVE_STATUSES } from "#protocol/status";
import { asLeaseLost, fenceStatement } from "./fence";
import { LeaseLostError } from "./journal";
import { joinStart, judgeOwner, pidNamespace, type OwnerRow } from "./owner-fate";

export interface LeaseSettings {
  readonly database: Database;
  readonly kind: "web" | "runner";
  readonly pid: number;
  /** Names this start of this process; see `readMark`. */
  readonly pidStarted: string;
  readonly leaseSeconds: number;
  /** Unix seconds. */
  readonly now: () => number;
  /** What names the start of the process of that number, or null when there is none. */
  readonly readMark: (pid: number) => string | null;
  /** A renewal that failed; it is tried again. */
  readonly onFailure: (error: unknown) => void;
  readonly signal?: AbortSignal;
}

export interface TakenRun {
  readonly run_id: string;
  readonly session_id: string;
  /** JSON of the RunRequest. */
  readonly request: string;
  readonly owner_kind: string;
  readonly owner_pid: number;
}

export interface OwnerLease {
  readonly epoch: number;
  /** Aborted when the lease is lost; the owner ends its work then. */
  readonly lost: AbortSignal;
  /** False from the moment on in which nothing more may be appended, before anybody found out. */
  holds(): boolean;
  /** Renews now. Rejects with the database's failure; a lost lease aborts `lost`. */
  renew(): Promise<void>;
  /** Makes the unfinished runs of dead owners ours and answers them, oldest first. Takes a few seconds when an owner has to be watched. */
  takeOver(): Promise<readonly TakenRun[]>;
  /** Gives the lease back: what is unfinished may be taken at once. */
  release(): Promise<void>;
}

/** Another runner lives: its pid is in the message. */
export class RunnerExistsError extends AppError {
  readonly pid: number;

  constructor(pid: number) {
    super("conflict", `Another runner is at work on this state directory (pid ${pid}).`);
    this.pid = pid;
  }
}

const WATCH_EVERY_MS = 100;
const TRIES = 5;
/** What a busy machine may keep a process from its turn beyond its lease. */
const STOPPED_SLACK_MS = 1000;
const KEEP_LOST_SECONDS = 7 * 86_400;
const ACTIVE = ACTIVE_STATUSES.map((status) => `'${status}'`).join(", ");
const ownerRowSchema = z.object({ epoch: z.number(), kind: z.string(), pid: z.number(), pid_started: z.string(), expires_at: z.number() });
const takenRunSchema = z.object({ run_id: z.string(), session_id: z.string(), request: z.string(), owner_kind: z.string(), owner_pid: z.number() });

/** Throws RunnerExistsError for a second runner. */
export async function acquireOwner(settings: LeaseSettings): Promise<OwnerLease> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const rivals = settings.kind === "runner" ? await readOwners(settings.database, "kind = 'runner'") : [];
    const dead = await deadAmong(rivals, settings);
    const alive = rivals.find((owner) => !dead.includes(owner.epoch));
    if (alive !== undefined) throw new RunnerExistsError(alive.pid);
    const results = await settings.database.batch([...loseOwners(dead, settings.now()), ...insertOwner(settings)]);
    const epoch = results.at(-1)?.rows[0]?.["epoch"];
    if (typeof epoch === "number") return new LibsqlLease(epoch, settings);
  }
  throw new AppError("conflict", "Another runner starts at the same moment.");
}

class LibsqlLease implements OwnerLease {
  readonly epoch: number;
  readonly #settings: LeaseSettings;
  readonly #lost = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #released = false;
  /** Of the process's own clock, which goes on while it is stopped and is not set. */
  #lastBeat = performance.now();

  constructor(epoch: number, settings: LeaseSettings) {
    this.epoch = epoch;
    this.#settings = settings;
    this.#schedule();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  holds(): boolean {
    return !this.lost.aborted && !this.#wasStopped();
  }

  async renew(): Promise<void> {
    if (this.#wasStopped()) return this.#giveUp();
    this.#lastBeat = performance.now();
    const { database, now, leaseSeconds } = this.#settings;
    const renewed = await database.execute({
      sql: "UPDATE owners SET expires_at = ? WHERE epoch = ? AND lost_at IS NULL",
      args: [now() + leaseSeconds, this.epoch],
    });
    if (renewed.rowsAffected === 0) this.#lose();
  }

  async takeOver(): Promise<readonly TakenRun[]> {
    const owners = await readOwners(this.#settings.database, "epoch <> ?", this.epoch);
    const dead = await deadAmong(owners, this.#settings);
    const theirs = `status IN (${ACTIVE}) AND owner_epoch <> ?1 AND NOT EXISTS (SELECT 1 FROM owners AS o WHERE o.epoch = runs.owner_epoch AND o.lost_at IS NULL)`;
    const statements: InStatement[] = [
      fenceStatement(this.epoch),
      ...loseOwners(dead, this.#settings.now()),
      {
        sql: `SELECT run_id, session_id, request, COALESCE(w.kind, 'unknown') AS owner_kind, COALESCE(w.pid, 0) AS owner_pid
              FROM runs LEFT JOIN owners AS w ON w.epoch = runs.owner_epoch WHERE ${theirs} ORDER BY position`,
        args: [this.epoch],
      },
      { sql: `UPDATE runs SET owner_epoch = ?1 WHERE ${theirs}`, args: [this.epoch] },
    ];
    try {
      const results = await this.#settings.database.batch(statements);
      return (results.at(-2)?.rows ?? []).map((row) => takenRunSchema.parse(row));
    } catch (error) {
      const cause = asLeaseLost(error);
      if (cause instanceof LeaseLostError) this.#lose();
      throw cause;
    }
  }

  async release(): Promise<void> {
    this.#released = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#settings.database.batch(loseOwners([this.epoch], this.#settings.now()));
  }

  #lose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (!this.#released) this.#lost.abort();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.#beat(), (this.#settings.leaseSeconds * 1000) / 3);
    this.#timer.unref();
  }

  #wasStopped(): boolean {
    const { kind, leaseSeconds } = this.#settings;
    return kind === "runner" && performance.now() - this.#lastBeat > leaseSeconds * 1000 + STOPPED_SLACK_MS;
  }

  /** Work ends at once; that the database knows it, too, lets a successor begin without waiting. */
  async #giveUp(): Promise<void> {
    this.#lose();
    await this.#settings.database.batch(loseOwners([this.epoch], this.#settings.now()));
  }

  async #beat(): Promise<void> {
    try {
      await this.renew();
    } catch (error) {
      if (!this.#released) this.#settings.onFailure(error);
    }
    this.#lastBeat = performance.now();
    if (!this.#released && !this.lost.aborted) this.#schedule();
  }
}

async function readOwners(database: Database, where: string, ...args: number[]): Promise<readonly OwnerRow[]> {
  const sql = `SELECT epoch, kind, pid, pid_started, expires_at FROM owners WHERE lost_at IS NULL AND ${where}`;
  return (await database.execute({ sql, args })).rows.map((row) => ownerRowSchema.parse(row));
}

/** Epochs of the dead. Whoever is in doubt is watched: one renewal shows that it lives. */
async function deadAmong(owners: readonly OwnerRow[], settings: LeaseSettings): Promise<readonly number[]> {
  const context = { now: settings.now(), leaseSeconds: settings.leaseSeconds, namespace: pidNamespace(), readMark: settings.readMark };
  const fates = owners.map((owner) => ({ owner, fate: judgeOwner(owner, context) }));
  const dead = fates.filter(({ fate }) => fate.kind === "dead").map(({ owner }) => owner.epoch);
  const watched = fates.flatMap(({ owner, fate }) => (fate.kind === "doubtful" ? [watch(owner, fate.watchMs, settings)] : []));
  const silent = await Promise.all(watched);
  return [...dead, ...silent.filter((epoch) => epoch !== null)];
}

/** The epoch when the owner did not renew for so long, else null. */
async function watch(owner: OwnerRow, forMs: number, settings: LeaseSettings): Promise<number | null> {
  const deadline = performance.now() + forMs;
  while (performance.now() < deadline) {
    await pause(WATCH_EVERY_MS, undefined, settings.signal === undefined ? {} : { signal: settings.signal });
    const [now] = await readOwners(settings.database, "epoch = ?", owner.epoch);
    // Gone from the list: somebody else declared it lost.
    if (now === undefined) return owner.epoch;
    if (now.expires_at !== owner.expires_at) return null;
    if (settings.readMark(owner.pid) === null && judgedHere(owner)) return owner.epoch;
  }
  return owner.epoch;
}

function judgedHere(owner: OwnerRow): boolean {
  return owner.pid_started.endsWith(`@${pidNamespace()}`);
}

function loseOwners(epochs: readonly number[], now: number): readonly InStatement[] {
  if (epochs.length === 0) return [];
  return [
    {
      sql: "UPDATE owners SET lost_at = ? WHERE lost_at IS NULL AND epoch IN (SELECT value FROM json_each(?))",
      args: [now, JSON.stringify(epochs)],
    },
  ];
}

/** The last statement yields the epoch, or nothing when another runner came first. */
function insertOwner({ kind, pid, pidStarted, now, leaseSeconds }: LeaseSettings): readonly InStatement[] {
  const at = now();
  return [
    {
      sql: `DELETE FROM owners WHERE lost_at < ? AND NOT EXISTS (SELECT 1 FROM runs WHERE owner_epoch = epoch AND status IN (${ACTIVE}))`,
      args: [at - KEEP_LOST_SECONDS],
    },
    {
      sql: `INSERT INTO owners (kind, pid, pid_started, started_at, expires_at) SELECT ?1, ?2, ?3, ?4, ?5
            WHERE ?1 <> 'runner' OR NOT EXISTS (SELECT 1 FROM owners WHERE kind = 'runner' AND lost_at IS NULL) RETURNING epoch`,
      args: [kind, pid, joinStart(pidStarted, pidNamespace()), at, at + leaseSeconds],
    },
  ];
}
