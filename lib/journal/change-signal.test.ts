import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChangeSignal, type Change } from "./change-signal";

let version: number;
let looks: number;
let signal: ChangeSignal;

beforeEach(() => {
  vi.useFakeTimers();
  version = 1;
  looks = 0;
  signal = new ChangeSignal(() => {
    looks += 1;
    return Promise.resolve(version);
  });
});
afterEach(() => {
  signal.close();
  vi.useRealTimers();
});

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

describe("changes", () => {
  it("of this process are told at once, with what they are of", () => {
    const seen: (Change | null)[] = [];
    signal.subscribe((change) => seen.push(change));
    const change = { runs: new Set(["run_1"]), sessions: new Set(["ses_1"]) };
    signal.notify(change);
    signal.ring();
    expect(seen).toEqual([change, null]);
  });

  it("of another process are seen within a poll, and a first look tells once", async () => {
    let seen = 0;
    signal.subscribe(() => (seen += 1));
    await pass(15);
    expect(seen).toBe(1);
    await pass(150);
    expect(seen).toBe(1);
    version += 1;
    await pass(16);
    expect(seen).toBe(2);
  });

  it("nobody listening, nothing is looked at", async () => {
    await pass(1000);
    const stop = signal.subscribe(() => undefined);
    await pass(100);
    expect(looks).toBeGreaterThan(3);
    stop();
    const before = looks;
    await pass(1000);
    expect(looks).toBeLessThanOrEqual(before + 1);
  });

  it("with the doorbell connected the file is looked at once a second; a bell that was not heard is found", async () => {
    let seen = 0;
    signal.subscribe(() => (seen += 1));
    await pass(15);
    signal.setDoorbell(true);
    const before = looks;
    await pass(990);
    expect(looks).toBeLessThanOrEqual(before + 1);
    version += 1;
    const told = seen;
    await pass(2000);
    expect(seen).toBeGreaterThan(told);
    signal.setDoorbell(false);
    const after = looks;
    await pass(100);
    expect(looks).toBeGreaterThan(after + 3);
  });

  it("`changed` ends with the next change, an abort, or the end; a version that cannot be read tells too", async () => {
    const stop = new AbortController();
    const ended = Promise.all([signal.changed(stop.signal), signal.changed(new AbortController().signal)]);
    stop.abort();
    signal.ring();
    await ended;
    const broken = new ChangeSignal(() => Promise.reject(new Error("no file")));
    const told = broken.changed(new AbortController().signal);
    await pass(15);
    await told;
    const closing = broken.changed(new AbortController().signal);
    broken.close();
    await closing;
    await broken.changed(new AbortController().signal);
  });
});
