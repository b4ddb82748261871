/**
 * A long answer that nobody watches: 50,000 deltas of 1 KB go through the journal of this process,
 * which may grow by less than 100 MB meanwhile, the view of the run (50 MB of text) included.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { done, openJournal, startRun, token } from "./bench-run";
import type { BenchRow } from "./journal-bench";

const DELTAS = 50_000;
const DELTAS_A_COMMIT = 50;
const LIMIT_MB = 100;

/** Run it first, or in a process of its own: it measures how much the process grows. */
export async function benchMemory(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "memory-bench-"));
  try {
    const { database, journal } = await openJournal(join(folder, "hermes.db"));
    const writer = await startRun(database, journal, "run_unwatched");
    const before = process.memoryUsage().rss;
    let most = before;
    for (let count = 0; count < DELTAS; count += 1) {
      writer.emit(token(Buffer.alloc(1024, 97 + (count % 26)).toString("latin1")));
      const committed = journal.enqueue(writer);
      if (count % DELTAS_A_COMMIT !== 0) continue;
      most = Math.max(most, process.memoryUsage().rss);
      await committed;
    }
    writer.emit(done());
    await journal.enqueue(writer);
    most = Math.max(most, process.memoryUsage().rss);
    await journal.close();
    database.close();
    const grown = (most - before) / 1_000_000;
    return [
      {
        what: "growth by 50,000 deltas of 1 KB that nobody watches (MB), against the limit",
        measured: grown.toFixed(0),
        reference: String(LIMIT_MB),
        ratio: LIMIT_MB / grown,
        target: 1,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
