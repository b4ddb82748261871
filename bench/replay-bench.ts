/**
 * A run of 100,000 events through `/api/chat/stream`, against a bare route that writes the very same
 * frames one by one; and opening its session, against one whose run says the same in 1,000 events.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stand } from "../trials/stand";
import { costRow, median, ratioRow, type Row } from "./bench-row";
import { done, openJournal, startRun, token } from "./bench-run";
import { startProduct } from "./product-stand";
import { readWhole } from "./read-stream";
import type { ReferenceApp } from "./reference-app";

const EVENTS = 100_000;
const FEW_EVENTS = 1_000;
const ROUNDS = 7;
const LONG = "run_0000000000000000000000000A";
const SHORT = "run_0000000000000000000000000B";

export async function benchReplay(reference: ReferenceApp): Promise<readonly Row[]> {
  const { stand } = await startProduct("runner-local", "http://127.0.0.1:9/v1", writeRuns);
  const folder = mkdtempSync(join(tmpdir(), "bench-frames-"));
  try {
    const stream = `${stand.url}/api/chat/stream?stream_id=${LONG}`;
    const file = join(folder, "frames");
    const pieces: Buffer[] = [];
    await readWhole(stream, (piece) => pieces.push(piece));
    const text = Buffer.concat(pieces).toString("utf8").replace(/^: .*\n\n/gm, "");
    const frames = text.match(/^id: /gm)?.length ?? 0;
    if (frames !== EVENTS + 2) throw new Error(`The replay gave ${frames} of ${EVENTS + 2} events.`);
    writeFileSync(file, text);
    const bare = `${reference.url}/replay?file=${encodeURIComponent(file)}`;
    await readWhole(bare);
    return [await replayed(stream, bare), await opened(stand)];
  } finally {
    await stand.clear(false);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function replayed(stream: string, bare: string): Promise<Row> {
  const spent = { product: Array<number>(), bare: Array<number>() };
  for (let round = 0; round < ROUNDS; round += 1) {
    spent.product.push(await timed(() => readWhole(stream)));
    spent.bare.push(await timed(() => readWhole(bare)));
  }
  const rate = (milliseconds: number): string => `${Math.round(EVENTS / milliseconds).toLocaleString("en")}k/s`;
  const [product, reference] = [median(spent.product), median(spent.bare)];
  return ratioRow({ what: "replay of a run of 100,000 events, against a bare route", measured: rate(product), reference: rate(reference), ratio: reference / product, target: 0.5 });
}

async function opened(stand: Stand): Promise<Row> {
  const spent = { long: Array<number>(), short: Array<number>() };
  const sessionOf = (runId: string): string => `${stand.url}/api/sessions/${runId.replace("run_", "ses_")}`;
  for (const runId of [LONG, SHORT]) await readWhole(sessionOf(runId));
  for (let round = 0; round < ROUNDS * 3; round += 1) {
    spent.long.push(await timed(() => readWhole(sessionOf(LONG))));
    spent.short.push(await timed(() => readWhole(sessionOf(SHORT))));
  }
  return costRow({ what: "opening a session of 100,000 events, against the same text in 1,000", unit: "ms", measured: median(spent.long), reference: median(spent.short), most: 2 });
}

async function writeRuns(stand: Stand): Promise<void> {
  const { database, journal } = await openJournal(stand.databaseFile);
  for (const [runId, events] of [[LONG, EVENTS], [SHORT, FEW_EVENTS]] as const) {
    const writer = await startRun(database, journal, runId);
    const joined = EVENTS / events;
    for (let count = 0; count < EVENTS; count += joined) {
      writer.emit(token(Array.from({ length: joined }, (_, index) => `w${count + index} and some more words `).join("")));
      if (writer.pending.length >= 2000) await journal.enqueue(writer);
    }
    writer.emit(done());
    await journal.enqueue(writer);
  }
  await journal.close();
  await database.execute("UPDATE owners SET lost_at = 1");
  database.close();
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}
