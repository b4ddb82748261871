/**
 * The journal against what the same database does without it, in one run and on one disk.
 *
 * Append: fifty runs that write as fast as they may, synchronous FULL, against bare `json_each`
 * inserts of the same rows in transactions of the same size: into the same table of another such
 * database, into one that has its indexes but no guards (triggers, foreign keys), and into one that
 * has neither, to tell what each costs. All take turns, so that a busy disk is busy for all.
 * Read: frames of a long run, against the bare rows.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "#db/database";
import { openDatabase } from "#db/open-database";
import { done, openJournal, startRun, token, type BenchWriter } from "./bench-run";

export interface BenchRow {
  readonly what: string;
  readonly measured: string;
  readonly reference: string;
  /** Measured against reference: above 1 is better than the reference. */
  readonly ratio: number;
  /** The least ratio that is wanted; null where the row only informs. */
  readonly target: number | null;
}

const RUNS = 50;
const EVENTS_A_TURN = 20;
const ROUNDS = 40;
const REPLAYED_EVENTS = 100_000;

const COLUMNS = "session_id text NOT NULL, run_id text, seq integer NOT NULL, type text NOT NULL, terminal integer NOT NULL, envelope text NOT NULL";
const BARE_INSERT = (table: string): string =>
  `INSERT INTO ${table} (session_id, run_id, seq, type, terminal, envelope)
   SELECT value ->> '$.session_id', value ->> '$.run_id', value ->> '$.seq', value ->> '$.type', value ->> '$.terminal', value FROM json_each(?)`;

export async function benchJournal(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "journal-bench-"));
  try {
    return [...(await benchAppend(folder)), ...(await benchReplay(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchAppend(folder: string): Promise<readonly BenchRow[]> {
  const { database, journal } = await openJournal(join(folder, "journal.db"));
  const same = await openJournal(join(folder, "same.db"));
  const indexed = await openReference(join(folder, "indexed.db"), [
    "CREATE UNIQUE INDEX bare_run ON bare (run_id, seq)",
    "CREATE INDEX bare_session ON bare (session_id, position)",
  ]);
  const plain = await openReference(join(folder, "plain.db"), []);
  const writers: BenchWriter[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const runId = `run_${String(run).padStart(26, "0")}`;
    writers.push(await startRun(database, journal, runId));
    await startRun(same.database, same.journal, runId);
  }

  const spent = { journal: Array<number>(), same: Array<number>(), indexed: Array<number>(), plain: Array<number>() };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const writer of writers) for (let count = 0; count < EVENTS_A_TURN; count += 1) writer.emit(token(`w${round}.${count} and some more words `));
    const rows = writers.flatMap((writer) => writer.pending);
    const insert = (into: Database, table: string) => timed(() => into.batch([{ sql: BARE_INSERT(table), args: [JSON.stringify(rows)] }]));
    const candidates = [
      async () => spent.journal.push(await timed(() => Promise.all(writers.map((writer) => journal.enqueue(writer))))),
      async () => spent.same.push(await insert(same.database, "events")),
      async () => spent.indexed.push(await insert(indexed, "bare")),
      async () => spent.plain.push(await insert(plain, "bare")),
    ];
    // Whoever begins finds the rows cold: each begins as often as the others.
    const first = round % candidates.length;
    for (const candidate of [...candidates.slice(first), ...candidates.slice(0, first)]) await candidate();
  }
  for (const each of [journal, same.journal]) await each.close();
  for (const each of [database, same.database, indexed, plain]) each.close();
  const rows = RUNS * EVENTS_A_TURN;
  return [
    compare("journal append, 50 runs at once (events/s), against bare inserts", rows, median(spent.journal), median(spent.same), 0.6),
    compare("the same, against a table with indexes and without guards", rows, median(spent.journal), median(spent.indexed), null),
    compare("the same, against a table without indexes", rows, median(spent.journal), median(spent.plain), null),
  ];
}

async function benchReplay(folder: string): Promise<readonly BenchRow[]> {
  const { database, journal } = await openJournal(join(folder, "replay.db"));
  const writer = await startRun(database, journal, "run_long");
  for (let count = 0; count < REPLAYED_EVENTS; count += 1) {
    writer.emit(token(`w${count} and some more words `));
    if (count % 2000 === 0) await journal.enqueue(writer);
  }
  writer.emit(done());
  await journal.enqueue(writer);

  const spent = { tail: Array<number>(), bare: Array<number>(), opening: Array<number>(), text: Array<number>() };
  for (let round = 0; round < 5; round += 1) {
    let frames = 0;
    spent.tail.push(
      await timed(async () => {
        for await (const chunk of journal.tailRun("run_long", 0, new AbortController().signal)) frames += chunk.count;
      }),
    );
    if (frames !== REPLAYED_EVENTS + 2) throw new Error(`The tail gave ${frames} of ${REPLAYED_EVENTS + 2} events.`);
    spent.bare.push(await timed(() => readBare(database)));
    spent.opening.push(await timed(() => journal.readView("run_long")));
    spent.text.push(await timed(() => readText(database)));
  }
  await journal.close();
  database.close();
  return [
    compare("tail of 100,000 events (frames/s), against rows read by 512", REPLAYED_EVENTS, median(spent.tail), median(spent.bare), null),
    compare("opening a finished run of 100,000 events (a second), against its text alone", 1, median(spent.opening), median(spent.text), null),
  ];
}

async function readBare(database: Database): Promise<void> {
  for (let seq = 0; ; ) {
    const { rows } = await database.execute({ sql: "SELECT envelope FROM events WHERE run_id = 'run_long' AND seq > ? ORDER BY seq LIMIT 512", args: [seq] });
    if (rows.length === 0) return;
    seq += rows.length;
  }
}

async function readText(database: Database): Promise<void> {
  const { rows } = await database.execute("SELECT body FROM run_view_parts ORDER BY part, piece");
  for (const row of rows) JSON.parse(String(row[0]));
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[values.length >> 1] ?? Number.NaN;
}

function compare(what: string, count: number, spentMs: number, referenceMs: number, target: number | null): BenchRow {
  const rate = (milliseconds: number): string => Math.round((count / milliseconds) * 1000).toLocaleString("en");
  return { what, measured: rate(spentMs), reference: rate(referenceMs), ratio: referenceMs / spentMs, target };
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}

async function openReference(file: string, indexes: readonly string[]): Promise<Database> {
  const database = await openDatabase({ url: `file:${file}` });
  await database.batch([`CREATE TABLE bare (position integer PRIMARY KEY AUTOINCREMENT, ${COLUMNS})`, ...indexes]);
  return database;
}
