import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "#journal/journal.fixture";
import { AppError } from "#protocol/errors";
import { hashBody, IdempotentAnswers, type KeptAnswer } from "./idempotency";

let bench: Workbench;
let clock = 1_000;
let answers: IdempotentAnswers;
beforeEach(async () => {
  bench = await openWorkbench();
  clock = 1_000;
  answers = new IdempotentAnswers(bench.database, () => clock);
});
afterEach(() => bench.close());

const request = (body: unknown, key = "k", route = "POST /x") => ({ route, key, bodyHash: hashBody(body, "key"), reserve: null });
const ok = (body: string): KeptAnswer => ({ status: 200, body });

describe("a repeated request", () => {
  test("gets the first answer for a day, then is done anew; another route or key is another request", async () => {
    let done = 0;
    const work = (): Promise<KeptAnswer> => {
      done += 1;
      return Promise.resolve(ok(`"${done}"`));
    };
    expect(await answers.once(request({ a: 1, b: 2 }), work)).toEqual(ok('"1"'));
    expect(await answers.once(request({ b: 2, a: 1, key: "k" }), work)).toEqual(ok('"1"'));
    expect(await answers.once(request({ a: 1, b: 2 }, "other"), work)).toEqual(ok('"2"'));
    expect(await answers.once(request({ a: 1, b: 2 }, "k", "POST /y"), work)).toEqual(ok('"3"'));
    await expect(answers.once(request({ a: 2 }), work)).rejects.toMatchObject({ code: "idempotency_conflict" });
    clock += 86_400;
    expect(await answers.once(request({ a: 2 }), work)).toEqual(ok('"4"'));
  });

  test("waits for the answer of one that is in flight, whether it works or not", async () => {
    let finish = (_answer: KeptAnswer): void => undefined;
    let done = 0;
    const slow = (): Promise<KeptAnswer> => {
      done += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    const waiting = [1, 2, 3].map(() => answers.once(request({}), slow));
    const conflict = answers.once(request({ other: true }), slow);
    await expect(conflict).rejects.toMatchObject({ code: "idempotency_conflict" });
    await expect.poll(() => done).toBe(1);
    finish({ status: 409, body: '"no"' });
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 3 }, () => ({ status: 409, body: '"no"' })));
    // Only what worked is kept.
    expect(await answers.once(request({ other: true }), () => Promise.resolve(ok('"yes"')))).toEqual(ok('"yes"'));
  });

  test("names again what was reserved when no answer came, and is free again after a refusal", async () => {
    const reserved: (string | null)[] = [];
    let made = 0;
    const reserving = (body: unknown) => ({ ...request(body), reserve: () => `run_${(made += 1)}` });
    const failing = (error: Error) => (id: string | null): Promise<KeptAnswer> => {
      reserved.push(id);
      return Promise.reject(error);
    };
    await expect(answers.once(reserving({ a: 1 }), failing(new AppError("runner_unavailable", "late")))).rejects.toThrow("late");
    await expect(answers.once(reserving({ a: 1 }), failing(new Error("crash")))).rejects.toThrow("crash");
    await expect(answers.once(reserving({ a: 2 }), failing(new Error("never")))).rejects.toMatchObject({ code: "idempotency_conflict" });
    await expect(answers.once(reserving({ a: 1 }), failing(new AppError("run_active", "busy")))).rejects.toThrow("busy");
    expect(reserved).toEqual(["run_1", "run_1", "run_1"]);
    const answer = await answers.once(reserving({ a: 2 }), (id) => Promise.resolve(ok(JSON.stringify(id))));
    expect(answer).toEqual(ok('"run_2"'));
  });
});

test("the hash of a body sees every value and no order of keys", () => {
  const same = [{ a: [1, { b: null, c: "x" }] }, { key: "left out", a: [1, { c: "x", b: null }] }];
  expect(new Set(same.map((body) => hashBody(body, "key"))).size).toBe(1);
  const different = [{}, [], null, { a: 1 }, { a: "1" }, { a: [1] }, { a: { 0: 1 } }, { b: 1 }, { a: 1, b: 1 }, [["a", 1]]];
  expect(new Set(different.map((body) => hashBody(body, null))).size).toBe(different.length);
});
