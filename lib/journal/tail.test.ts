import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunEvent } from "#protocol/events";
import { parseEvent } from "#protocol/events";
import { collectIds, done, framesOf, idsUpTo, openWorkbench, startRun, token, type TestWriter, type Workbench } from "./journal.fixture";

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
});
afterEach(() => bench.close());

const never = new AbortController().signal;

/** A pause that ends with the event loop's next turn: long enough for everybody else to go on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function finishedRun(runId: string, sessionId: string, last: number): Promise<TestWriter> {
  const writer = await startRun(bench, runId, sessionId);
  for (let seq = 2; seq < last; seq += 1) writer.emit(token(`t${seq} `));
  await bench.journal.enqueue(writer.emit(done()));
  return writer;
}

async function replay(runId: string, cursor: string | null): Promise<{ readonly reset: string | null; readonly finished: boolean; readonly ids: string[] }> {
  const resolved = await bench.journal.resolveRunCursor(runId, cursor);
  if (resolved === null) throw new Error("The run is there.");
  const position = resolved.kind === "at" ? resolved.position : 0;
  const finished = resolved.kind === "at" && resolved.finished;
  return { reset: resolved.kind === "reset" ? resolved.reason : null, finished, ids: await collectIds(bench.journal.tailRun(runId, position, never)) };
}

describe("cursors", () => {
  it("B001: a cursor of another run gives everything, after a reset", async () => {
    await finishedRun("run_1", "ses_1", 40);
    await finishedRun("run_2", "ses_1", 12);
    expect(await replay("run_2", "run_1:40")).toEqual({ reset: "foreign", finished: false, ids: idsUpTo("run_2", 12) });
  });

  it("B003: none, empty and 0 are the start; the last one is the end; the one before gives one event", async () => {
    await finishedRun("run_1", "ses_1", 9);
    for (const cursor of [null, "", "0", "run_1:0"]) expect(await replay("run_1", cursor)).toEqual({ reset: null, finished: false, ids: idsUpTo("run_1", 9) });
    for (const cursor of ["9", "run_1:9"]) expect(await replay("run_1", cursor)).toEqual({ reset: null, finished: true, ids: [] });
    for (const cursor of ["8", "run_1:8"]) expect(await replay("run_1", cursor)).toEqual({ reset: null, finished: false, ids: ["run_1:9"] });
  });

  it.each(["abc", "-1", "1e3", "5.5", "run_2:5", "run_1:5:6", "9".repeat(40), "9".repeat(65_536), "run_1:10", "10", "run_1: 5", "run_1:05", "ses_1:1", "\0"])(
    "B004: %j gives everything, after a reset",
    async (cursor) => {
      await finishedRun("run_1", "ses_1", 9);
      const { reset, ids } = await replay("run_1", cursor);
      expect(reset).toMatch(/^(malformed|foreign|past_end)$/);
      expect(ids).toEqual(idsUpTo("run_1", 9));
    },
  );

  it("a session's cursor is any id of its own log or its runs; all else is a reset; unknown ones are unknown", async () => {
    await finishedRun("run_1", "ses_1", 3);
    await finishedRun("run_9", "ses_9", 3);
    await bench.journal.transact(bench.journal.sessionLogStatements("ses_1", { type: "queue.updated", payload: { items: [] } }));
    const kindOf = async (cursor: string | null) => {
      const resolved = await bench.journal.resolveSessionCursor("ses_1", cursor);
      return resolved?.kind === "reset" ? resolved.reason : resolved?.position;
    };
    expect(await kindOf(null)).toBe(0);
    expect(await kindOf("0")).toBe(0);
    expect(await kindOf("run_1:2")).toBe(2);
    expect(await kindOf("ses_1:1")).toBe(7);
    expect(await kindOf("ses_1:2")).toBe("past_end");
    expect(await kindOf("run_1:4")).toBe("past_end");
    expect(await kindOf("run_9:2")).toBe("foreign");
    expect(await kindOf("run_404:2")).toBe("foreign");
    expect(await kindOf("ses_9:1")).toBe("foreign");
    expect(await kindOf("2")).toBe("malformed");
    expect(await bench.journal.resolveSessionCursor("ses_404", null)).toBeNull();
    expect(await bench.journal.resolveRunCursor("run_404", "1")).toBeNull();
  });
});

describe("replay, then live", () => {
  it("B005: fifty readers that attach at random moments each see 1…n once", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    const readers: Promise<string[]>[] = [];
    const other = await bench.another();
    for (let count = 1; count <= 500; count += 1) {
      const committed = bench.journal.enqueue(writer.emit(token(`t${String(count).padStart(4, "0")} `)));
      if (count % 10 === 0) {
        const journal = count % 50 === 0 ? other.journal : bench.journal;
        readers.push(collectIds(count % 20 === 0 ? journal.tailSession("ses_1", 0, until("run_1:502")) : journal.tailRun("run_1", 0, never)));
      }
      if (count % 3 === 0) await committed;
      else await turn();
    }
    await bench.journal.enqueue(writer.emit(done()));
    stopAt("run_1:502");
    const expected = idsUpTo("run_1", 502);
    for (const ids of await Promise.all(readers)) expect(ids).toEqual(expected.slice(0, ids.length));
    expect((await Promise.all(readers)).filter((ids) => ids.length === 502).length).toBeGreaterThanOrEqual(25);
  });

  const stops = new Map<string, AbortController>();
  const until = (id: string): AbortSignal => {
    const known = stops.get(id) ?? new AbortController();
    stops.set(id, known);
    return known.signal;
  };
  const stopAt = (id: string): void => stops.get(id)?.abort();

  it("any schedule of commits and readers, from any cursor, gives what follows it exactly once", async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ events: fc.nat(4), await: fc.boolean(), reader: fc.option(fc.nat(30)) }), { minLength: 1, maxLength: 15 }), async (steps) => {
        number += 1;
        const runId = `run_p${number}`;
        const writer = await startRun(bench, runId, `ses_p${number}`);
        const readers: { readonly from: number; readonly ids: Promise<string[]> }[] = [];
        for (const step of steps) {
          for (let count = 0; count < step.events; count += 1) writer.emit(token("x"));
          const committed = bench.journal.enqueue(writer);
          if (step.reader !== null) {
            const cursor = await bench.journal.resolveRunCursor(runId, String(step.reader));
            const position = cursor?.kind === "at" ? cursor.position : 0;
            readers.push({ from: cursor?.kind === "at" ? step.reader : 0, ids: collectIds(bench.journal.tailRun(runId, position, never)) });
          }
          if (step.await) await committed;
        }
        await bench.journal.enqueue(writer.emit(done()));
        for (const { from, ids } of readers) expect(await ids).toEqual(idsUpTo(runId, writer.all.length, from + 1));
      }),
      { numRuns: 25 },
    );
  });

  it("frames are the envelopes as they were written, whatever is in them", async () => {
    const writer = await startRun(bench, "run_1", "ses_1", "line\nbreak\r\n\u2028 \"q\" \ud83d half");
    await bench.journal.enqueue(writer.emit(token("a\n\ndata: x\nid: 9\n"), done()));
    const frames: unknown[] = [];
    for await (const chunk of bench.journal.tailRun("run_1", 0, never)) for (const frame of framesOf(chunk)) frames.push(frame.data);
    expect(frames).toEqual(writer.all);
    expect(frames.map((frame) => parseEvent(frame)?.type)).toEqual(["run.started", "token.delta", "done"]);
  });

  it("a piece is bounded in rows and bytes, and one huge event is a piece of its own", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    for (let count = 0; count < 1000; count += 1) writer.emit(token("small "));
    for (let count = 0; count < 12; count += 1) writer.emit(token("b".repeat(100_000)));
    writer.emit(token("h".repeat(3_000_000)));
    await bench.journal.enqueue(writer.emit(done()));
    const sizes: [number, number][] = [];
    const ids: string[] = [];
    for await (const chunk of bench.journal.tailRun("run_1", 0, never)) {
      sizes.push([chunk.count, chunk.text.length]);
      ids.push(...framesOf(chunk).map((frame) => frame.id));
      expect(framesOf(chunk)).toHaveLength(chunk.count);
    }
    expect(ids).toEqual(idsUpTo("run_1", 1015));
    for (const [count, size] of sizes) expect(count === 1 || size < 700_000).toBe(true);
    expect(Math.max(...sizes.map(([count]) => count))).toBeLessThanOrEqual(512);
  });

  it("a reader that stops asking costs nothing here, and reads on where it was", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    const reader = bench.journal.tailRun("run_1", 0, never)[Symbol.asyncIterator]();
    const first = await reader.next();
    for (let count = 0; count < 300; count += 1) writer.emit(token("x"));
    await bench.journal.enqueue(writer.emit(done()));
    const ids = framesOf(first.value ?? { text: "" }).map((frame) => frame.id);
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) ids.push(...framesOf(next.value).map((frame) => frame.id));
    expect(ids).toEqual(idsUpTo("run_1", 302));
  });

  it("ends at once when aborted, also while it waits", async () => {
    await startRun(bench, "run_1", "ses_1");
    const stop = new AbortController();
    const ids = collectIds(bench.journal.tailRun("run_1", 0, stop.signal));
    const session = collectIds(bench.journal.tailSession("ses_1", 0, stop.signal));
    await turn();
    stop.abort();
    expect([(await ids).length, (await session).length].every((count) => count <= 1)).toBe(true);
    expect(await collectIds(bench.journal.tailRun("run_404", 0, never))).toEqual([]);
  });

  it("the view at any moment is the fold of the events up to its last seq", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    const { foldRunAll } = await import("#fold/fold-run");
    for (let count = 0; count < 40; count += 1) {
      const all: RunEvent[] = writer.all;
      const committed = bench.journal.enqueue(writer.emit(token("x".repeat(4_000)), token("y", `seg_${count % 3}`)));
      const view = await bench.journal.readView("run_1");
      expect(view).toEqual(foldRunAll(null, all.slice(0, view?.last_seq)));
      if (count % 4 === 0) await committed;
    }
  });
});
