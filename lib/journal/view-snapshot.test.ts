import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunEventBody } from "#protocol/events";
import { done, openWorkbench, reasoning, startRun, token, type Workbench } from "./journal.fixture";

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
});
afterEach(() => bench.close());

async function storedBytes(): Promise<number> {
  const sizes = await bench.database.execute("SELECT (SELECT COALESCE(sum(octet_length(body)), 0) FROM run_view_parts) + (SELECT COALESCE(sum(octet_length(view)), 0) FROM run_views)");
  return Number(sizes.rows[0]?.[0]);
}

/** What this process has handed to the system to write, in bytes. */
function writtenBytes(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

const call = (id: string): RunEventBody => ({
  type: "tool.requested",
  payload: { message_id: "msg_2", calls: [{ tool_call_id: id, name: "terminal", title: id, arguments: { command: id } }] },
});
const output = (id: string, stdout: string): RunEventBody => ({ type: "tool.updated", payload: { tool_call_id: id, stdout } });
const ended = (id: string): RunEventBody => ({ type: "tool.done", payload: { tool_call_id: id, result: "ok", status: "ok", duration_ms: 1, is_error: false } });

describe("J5: stored views", () => {
  it("are what the fold gives, after any story, however it was cut into commits", async () => {
    const big = fc.nat(40_000).map((size) => "ü🧪".repeat(size / 3));
    const body = fc.oneof(
      fc.tuple(big, fc.constantFrom("seg_1", "seg_2")).map(([text, segment]) => token(text, segment)),
      fc.constantFrom(token("\ud83d"), token("\ude00")),
      big.map((text) => reasoning(text)),
      big.map((text): RunEventBody => ({ type: "reasoning.done", payload: { segment_id: "seg_r", text, visibility: "full" } })),
      fc.constantFrom(call("call_1"), call("call_2"), ended("call_1"), ended("call_2")),
      big.map((text) => output("call_1", text)),
      fc.constant<RunEventBody>({ type: "todo.updated", payload: { items: [{ id: "1", text: "t", status: "pending" }] } }),
    );
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(body, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }), fc.nat(8), fc.boolean(), async (commits, restartAt, ends) => {
        number += 1;
        const runId = `run_p${number}`;
        const writer = await startRun(bench, runId, `ses_p${number}`);
        let { journal } = bench;
        for (const [index, bodies] of commits.entries()) {
          // Another process goes on with the run: it knows nothing of the snapshots so far.
          if (index === restartAt) ({ journal } = await bench.another(1));
          await journal.enqueue(writer.emit(...bodies));
          expect(await journal.readView(runId)).toEqual(writer.view);
        }
        if (ends) await journal.enqueue(writer.emit(done()));
        expect(await journal.readView(runId)).toEqual(writer.view);
        const head = await bench.database.execute({ sql: "SELECT last_seq FROM run_views WHERE run_id = ?", args: [runId] });
        if (ends) expect(head.rows[0]?.[0]).toBe(writer.all.length);
      }),
      { numRuns: 30 },
    );
  });

  it("of a long answer cost its length once, and opening it reads a small rest", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    for (let count = 0; count < 50; count += 1) {
      for (let each = 0; each < 80; each += 1) writer.emit(token("0123456789".repeat(10)));
      await bench.journal.enqueue(writer);
    }
    const characters = 50 * 80 * 100;
    expect(await storedBytes()).toBeGreaterThan(characters * 0.9);
    expect(await storedBytes()).toBeLessThan(characters * 1.1);
    const rest = await bench.database.execute("SELECT sum(octet_length(envelope)) FROM events WHERE seq > (SELECT last_seq FROM run_views)");
    expect(Number(rest.rows[0]?.[0])).toBeLessThan(131_072);
    expect(await bench.journal.readView("run_1")).toEqual(writer.view);
  });

  it("of a run with many tools are written in proportion to its events (B123)", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    const written = async (): Promise<number> => Number((await bench.database.execute("SELECT total_changes()")).rows[0]?.[0]);
    const before = await written();
    for (let count = 0; count < 40; count += 1) {
      const id = `call_${count}`;
      writer.emit(call(id));
      for (let piece = 0; piece < 3; piece += 1) await bench.journal.enqueue(writer.emit(output(id, "o".repeat(30_000))));
      await bench.journal.enqueue(writer.emit(ended(id)));
    }
    const rows = (await written()) - before;
    // Events, row updates, and a few snapshot rows a call: never all parts again.
    expect(rows).toBeLessThan(40 * 5 * 3 + 300);
    expect(await bench.journal.readView("run_1")).toEqual(writer.view);
  });

  it.runIf(process.platform === "linux")("of a hundred calls behind ten megabytes of history take less than sixty to write (B123)", async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const before = await startRun(bench, `run_h${turn}`, "ses_1");
      for (let piece = 0; piece < 10; piece += 1) before.emit(token("h".repeat(100_000), `seg_${piece}`));
      await bench.journal.enqueue(before.emit(done()));
    }
    const writer = await startRun(bench, "run_1", "ses_1");
    const before = writtenBytes();
    for (let count = 0; count < 100; count += 1) {
      const id = `call_${count}`;
      await bench.journal.enqueue(writer.emit(call(id)));
      await bench.journal.enqueue(writer.emit(output(id, "o".repeat(2_000))));
      await bench.journal.enqueue(writer.emit(ended(id)));
    }
    await bench.journal.enqueue(writer.emit(done()));
    expect((writtenBytes() - before) / 1e6, "MB written").toBeLessThan(60);
    expect(await bench.journal.readView("run_1")).toEqual(writer.view);
  });

  it("the words of a finished run can be found, and only then", async () => {
    const writer = await startRun(bench, "run_1", "ses_1", "where is the Giraffe?");
    await bench.journal.enqueue(writer.emit(token("in the savan"), token("nah \0 é"), token(`${"word ".repeat(30_000)}lastword \ud83d \\ud1 \\u0000 quoted"`, "seg_2"), token("thou", "seg_3"), token("ghts", "seg_3")));
    const found = async (word: string): Promise<number> => {
      const rows = await bench.database.execute({ sql: "SELECT count(*) FROM search_index JOIN search_rows ON row_id = search_index.rowid WHERE search_index MATCH ?", args: [word] });
      return Number(rows.rows[0]?.[0]);
    };
    expect(await found("giraffe")).toBe(0);
    await bench.journal.enqueue(writer.emit(done()));
    for (const word of ["giraffe", "savannah", "lastword", "quoted", "e", "thoughts"]) expect([word, await found(word)]).toEqual([word, 1]);
    expect(await found("nah")).toBe(0);
  });
});
