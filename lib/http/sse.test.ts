import { describe, expect, test } from "vitest";
import { until } from "#testing/until";
import { mergeStreams } from "./merge-streams";
import { eventStreamResponse, STREAM_TIMING, type EventStreamPlan } from "./sse";
import { StreamGauge } from "./stream-gauge";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

interface Opened {
  readonly gauge: StreamGauge;
  readonly client: AbortController;
  readonly said: { hungUp: number; failures: unknown[]; source: AbortSignal | null };
  readonly response: Response;
}

function openStream(source: (signal: AbortSignal) => AsyncIterable<Uint8Array>, options: Partial<EventStreamPlan> = {}): Opened {
  const gauge = options.gauge ?? new StreamGauge();
  const client = new AbortController();
  const said: Opened["said"] = { hungUp: 0, failures: [], source: null };
  const response = eventStreamResponse({
    gauge,
    clientSignal: client.signal,
    timing: { pingMs: 5_000, stallMs: 5_000 },
    hangUp: () => {
      said.hungUp += 1;
    },
    onFailure: (error) => said.failures.push(error),
    open: (signal) => {
      said.source = signal;
      return source(signal);
    },
    ...options,
  });
  return { gauge, client, said, response };
}

function silent(signal: AbortSignal): AsyncIterable<Uint8Array> {
  const end = new Promise<IteratorResult<Uint8Array>>((resolve) => {
    signal.addEventListener("abort", () => resolve({ done: true, value: undefined }), { once: true });
  });
  return { [Symbol.asyncIterator]: () => ({ next: () => end }) };
}

async function read(response: Response): Promise<string> {
  return response.text();
}

describe("an event stream", () => {
  test("sends bytes at once, then its source, then ends and gives its place back", async () => {
    const { gauge, response } = openStream(async function* () {
      yield text("data: 1\n\n");
      yield text("data: 2\n\n");
    });
    expect(gauge.count).toBe(1);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    expect(await read(response)).toBe(": ok\n\ndata: 1\n\ndata: 2\n\n");
    expect(gauge.count).toBe(0);
  });

  test("B015: a silent source is pinged, and what it says later comes once", async () => {
    let speak = (): void => undefined;
    const { response, client } = openStream(
      async function* () {
        await new Promise<void>((resolve) => {
          speak = resolve;
        });
        yield text("data: late\n\n");
      },
      { timing: { pingMs: 10, stallMs: 5_000 } },
    );
    const reader = response.body?.getReader();
    let seen = "";
    while (reader !== undefined && !seen.includes("late")) {
      const { value, done } = await reader.read();
      if (done) break;
      seen += new TextDecoder().decode(value);
      if (seen.split(": ping").length > 4) speak();
    }
    expect(seen.match(/data: late/g)).toHaveLength(1);
    expect(seen.split(": ping\n\n").length).toBeGreaterThan(3);
    // As the product is set: a ping, and how late one may be looked for, are within ten seconds.
    expect(STREAM_TIMING.pingMs * 1.125).toBeLessThanOrEqual(10_000);
    client.abort();
  });

  test("B022: a reader that goes away stops the source and frees the place, however it goes", async () => {
    for (const leave of ["cancel", "abort"] as const) {
      const { gauge, response, client, said } = openStream(silent);
      const reader = response.body?.getReader();
      await reader?.read();
      const pending = reader?.read();
      await until(() => said.source !== null);
      if (leave === "cancel") await reader?.cancel();
      else client.abort();
      await pending;
      expect(said.source?.aborted).toBe(true);
      expect(gauge.count).toBe(0);
      expect(said.failures).toEqual([]);
    }
  });

  test("a reader that takes no byte for too long is hung up, and cost one chunk", async () => {
    let pulled = 0;
    const { gauge, response, said } = openStream(
      async function* () {
        for (;;) {
          pulled += 1;
          yield text("data: x\n\n");
        }
      },
      { timing: { pingMs: 5_000, stallMs: 30 } },
    );
    const reader = response.body?.getReader();
    await reader?.read();
    await until(() => said.hungUp === 1);
    expect(gauge.count).toBe(0);
    expect(pulled).toBeLessThanOrEqual(2);
    await expect((async () => {
      for (;;) if ((await reader?.read())?.done !== false) return;
    })()).rejects.toThrow(/too long/);
  });

  test("a source that breaks ends the stream and is said to the log", async () => {
    const { response, said, gauge } = openStream(async function* () {
      yield text("data: 1\n\n");
      throw new Error("disk");
    });
    expect(await read(response)).toBe(": ok\n\ndata: 1\n\n");
    expect(said.failures).toHaveLength(1);
    expect(gauge.count).toBe(0);
  });

  test("B019: above the cap a stream is refused with a time to come back, below it there is room again", async () => {
    const gauge = new StreamGauge(2);
    const open = [openStream(silent, { gauge }), openStream(silent, { gauge })];
    expect(() => openStream(silent, { gauge })).toThrow(expect.objectContaining({ code: "too_many_streams", details: { retry_after_s: 5 } }));
    open[0]?.client.abort();
    await open[0]?.response.text();
    expect(gauge.count).toBe(1);
    const third = openStream(silent, { gauge });
    gauge.closeAll();
    await Promise.all([open[1]?.response.text(), third.response.text()]);
    expect(gauge.count).toBe(0);
    expect(() => openStream(silent, { gauge })).toThrow();
  });
});

describe("merged sources", () => {
  test("come in order of arrival, each piece once, and end with the source that decides", async () => {
    const forever = new AbortController();
    async function* counted(name: string, count: number): AsyncGenerator<string> {
      for (let number = 0; number < count; number += 1) {
        await Promise.resolve();
        yield `${name}${number}`;
      }
    }
    async function* endless(): AsyncGenerator<string> {
      yield "once";
      await new Promise<void>((resolve) => forever.signal.addEventListener("abort", () => resolve(), { once: true }));
    }
    const all: string[] = [];
    for await (const value of mergeStreams([counted("a", 50), counted("b", 50)])) all.push(value);
    expect(all.filter((value) => value.startsWith("a"))).toEqual(Array.from({ length: 50 }, (_, index) => `a${index}`));
    expect(all).toHaveLength(100);
    const decided: string[] = [];
    for await (const value of mergeStreams([counted("a", 3), endless()], 0)) decided.push(value);
    expect([...decided].sort()).toEqual(["a0", "a1", "a2", "once"]);
    forever.abort();
  });
});
