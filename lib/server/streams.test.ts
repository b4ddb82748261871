/** Stories of observers over the routes: late ones, many, gone ones, ones behind a proxy, and cursors that outlived what they stood in. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ModelPart, ModelPort } from "#agent/model/model-port";
import { openRouteHarness, type RouteHarness } from "#testing/route-harness";
import { until } from "#testing/until";
import { POST as cancel } from "../../app/api/chat/cancel/route";
import { POST as start } from "../../app/api/chat/start/route";
import { GET as stream } from "../../app/api/chat/stream/route";
import { GET as health } from "../../app/api/health/route";
import { POST as retry } from "../../app/api/sessions/[id]/retry/route";
import { GET as openSession } from "../../app/api/sessions/[id]/route";
import { GET as sessionStream } from "../../app/api/sessions/[id]/stream/route";
import { StreamListener } from "./stream-listener.fixture";

let harness: RouteHarness;
afterEach(() => harness.close());

const KILOBYTE = "0123456789abcde ".repeat(64);
const envelopeSchema = z.looseObject({ seq: z.number(), type: z.string(), payload: z.looseObject({ delta: z.string().optional() }) });

async function begin(message: string, session_id?: string): Promise<{ readonly runId: string; readonly sessionId: string }> {
  const { json } = await harness.call(start, { method: "POST", body: { message, session_id } });
  return { runId: String(json["stream_id"]), sessionId: String(json["session_id"]) };
}

async function stateOf(runId: string): Promise<string | null> {
  return (await harness.server.runtime.adapter.getRun(runId))?.terminal_state ?? null;
}

async function run(message: string, sessionId?: string): Promise<{ readonly runId: string; readonly sessionId: string }> {
  const begun = await begin(message, sessionId);
  await until(async () => (await stateOf(begun.runId)) !== null, 30_000);
  return begun;
}

function watch(runId: string, query = "", headers: Readonly<Record<string, string>> = {}): StreamListener {
  return new StreamListener(harness, stream, { path: `/api/chat/stream?stream_id=${runId}${query}`, headers });
}

function eventsOf(text: string): readonly z.infer<typeof envelopeSchema>[] {
  return text.split("\n").flatMap((line) => (line.startsWith("data: {\"event_id\"") ? [envelopeSchema.parse(JSON.parse(line.slice(6)))] : []));
}

const wordsOf = (text: string): string => eventsOf(text).flatMap((event) => event.payload.delta ?? []).join("");
const rising = (from: number, to: number): readonly number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Says so many pieces, each as a segment of its own, so that each is an event of its own. */
function talker(pieces: number, kilobytes = 1): ModelPort {
  return {
    provider: "talker",
    stream: async function* (): AsyncGenerator<ModelPart> {
      for (let count = 0; count < pieces; count += 1) yield { type: "text", text: `${count} ${KILOBYTE.repeat(kilobytes)}`, segment: true };
      yield { type: "finish", reason: "stop" };
    },
  };
}

describe("who comes late", () => {
  test("is told all that follows event 100 of a long turn that nobody watched, without a gap (B007)", async () => {
    harness = await openRouteHarness({ port: talker(3_000) });
    const { runId } = await run("talk");
    const whole = watch(runId);
    await whole.done;
    const late = watch(runId, "&after_seq=100");
    await late.done;
    const events = eventsOf(whole.text);
    expect(events.length).toBeGreaterThan(3_000);
    expect(events.map((event) => event.seq)).toEqual(rising(1, events.length));
    expect(eventsOf(late.text).map((event) => event.seq)).toEqual(rising(101, events.length));
    expect(wordsOf(whole.text)).toBe(Array.from({ length: 3_000 }, (_, count) => `${count} ${KILOBYTE}`).join(""));
    expect(wordsOf(whole.text).endsWith(wordsOf(late.text))).toBe(true);
  });
});

describe("a cursor from before a retry", () => {
  test("skips nothing of the turn that took the old one's place (B012)", async () => {
    harness = await openRouteHarness();
    const { runId: old, sessionId: id } = await run("say one two three four");
    const before = new StreamListener(harness, sessionStream, { path: `/api/sessions/${id}/stream`, params: { id } });
    await until(() => before.text.includes("event: done"));
    const cursor = before.ids.at(-1) ?? "";
    await before.stop();
    const { json } = await harness.call(retry, { method: "POST", params: { id }, body: { message: "say five" } });
    const next = String(json["stream_id"]);
    await until(async () => (await stateOf(next)) !== null);
    const last = (await harness.server.runtime.adapter.getRun(next))?.last_seq ?? 0;
    const everything = rising(1, last).map((seq) => `${next}:${seq}`);

    // Its numbers are those of the old run again: by run and number nothing of it is known.
    const resumed = new StreamListener(harness, sessionStream, { path: `/api/sessions/${id}/stream`, params: { id }, headers: { "last-event-id": cursor } });
    await until(() => resumed.ids.at(-1) === `${next}:${last}`);
    expect(resumed.ids.filter((each) => each.startsWith(next))).toEqual(everything);
    expect(resumed.text).toContain(`"run_ids":["${old}"]`);
    expect(resumed.ids.some((each) => each.startsWith(old))).toBe(false);
    await resumed.stop();

    const foreign = watch(next, "", { "last-event-id": `${old}:${last}` });
    await foreign.done;
    expect(foreign.text).toContain("event: reset");
    expect(foreign.ids).toEqual(everything);
  });
});

describe("the end of a run", () => {
  test("ends its streams within two seconds, however it ended, and gives their places back (B016)", async () => {
    harness = await openRouteHarness();
    for (const [message, state] of [["say all is well", "completed"], ["sleep 50\nfail provider_bad_request", "failed"], ["sleep 60000", "cancelled"]] as const) {
      const { runId } = await begin(message);
      const watching = [watch(runId), watch(runId)];
      await until(() => harness.server.streams.count === 2);
      if (state === "cancelled") await harness.call(cancel, { method: "POST", body: { stream_id: runId } });
      await until(async () => (await stateOf(runId)) === state);
      const ended = performance.now();
      await Promise.all(watching.map((each) => each.done));
      expect(performance.now() - ended).toBeLessThan(2_000);
      expect(harness.server.streams.count).toBe(0);
    }
  });
});

describe("many observers", () => {
  test("above the cap are told to come back, while health answers and the run goes on (B019)", async () => {
    harness = await openRouteHarness();
    const { runId } = await begin("stream 60 20");
    const watching = Array.from({ length: 256 }, () => watch(runId));
    await until(() => harness.server.streams.count === 256);
    for (let more = 0; more < 40; more += 1) {
      const refused = await harness.call(stream, { path: `/api/chat/stream?stream_id=${runId}` });
      expect(refused).toMatchObject({ status: 503, json: { error: { code: "too_many_streams" } } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const asked = performance.now();
    expect((await harness.call(health)).json).toMatchObject({ status: "ok", streams: 256 });
    expect(performance.now() - asked).toBeLessThan(1_000);
    await Promise.all(watching.map((each) => each.done));
    expect(await stateOf(runId)).toBe("completed");
    for (const each of watching) expect(wordsOf(each.text)).toBe(rising(1, 60).map((word) => `w${word}`).join(" "));
  });

  test("that go away leave no stream behind, and the run completes (B022)", async () => {
    harness = await openRouteHarness();
    const { runId } = await begin("stream 100 10");
    const watching = Array.from({ length: 200 }, () => watch(runId));
    await until(() => watching.every((each) => each.ids.length > 0));
    await Promise.all(watching.map((each) => each.stop()));
    expect(harness.server.streams.count).toBe(0);
    await until(async () => (await stateOf(runId)) !== null);
    expect(await stateOf(runId)).toBe("completed");
  });
});

describe("ten tabs on a session of twenty megabytes", () => {
  test("are answered in time, in bounded memory (B125)", async () => {
    harness = await openRouteHarness({ port: talker(40, 100) });
    const { sessionId } = await run("talk");
    for (let turn = 1; turn < 5; turn += 1) await run("talk on", sessionId);
    const before = process.memoryUsage().rss;
    let highest = before;
    // Seconds of work: what all ten wait for on one core, whatever else the machine does.
    const begun = process.cpuUsage();
    const tab = async (): Promise<number> => {
      const response = await harness.send(openSession, { path: `/api/sessions/${sessionId}?runs=20`, params: { id: sessionId } });
      let bytes = 0;
      for await (const piece of response.body ?? []) bytes += piece.length;
      highest = Math.max(highest, process.memoryUsage().rss);
      return bytes;
    };
    const sizes = await Promise.all(Array.from({ length: 10 }, tab));
    const spent = process.cpuUsage(begun);
    expect((spent.user + spent.system) / 1e6, "seconds of work").toBeLessThan(5);
    expect(Math.min(...sizes)).toBeGreaterThan(20_000_000);
    expect((highest - before) / 2 ** 20, "MB more").toBeLessThan(800);
  }, 120_000);
});

describe("behind a proxy that holds answers back unless it is told not to", () => {
  let servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    servers = [];
  });

  async function listen(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>): Promise<string> {
    const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${portSchema.parse(server.address()).port}`;
  }

  async function pass(response: Response, outgoing: ServerResponse, hold: boolean): Promise<void> {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    const held: Uint8Array[] = [];
    for await (const piece of response.body ?? []) {
      if (hold) held.push(piece);
      else outgoing.write(piece);
    }
    outgoing.end(Buffer.concat(held));
  }

  test("each word arrives when it was said (B020)", async () => {
    harness = await openRouteHarness();
    const origin = await listen(async (incoming, outgoing) => pass(await harness.send(stream, { path: incoming.url ?? "/" }), outgoing, false));
    const proxy = await listen(async (incoming, outgoing) => {
      const response = await fetch(`${origin}${incoming.url ?? ""}`);
      return pass(response, outgoing, response.headers.get("x-accel-buffering") !== "no");
    });
    const { runId } = await begin("stream 10 150");
    const began = performance.now();
    const response = await fetch(`${proxy}/api/chat/stream?stream_id=${runId}`);
    expect(response.headers.get("cache-control")).toContain("no-transform");
    const arrivals: number[] = [];
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) if (decoder.decode(piece, { stream: true }).includes("token.delta")) arrivals.push(performance.now() - began);
    expect(arrivals[0]).toBeLessThan(1_000);
    expect(arrivals.length).toBeGreaterThanOrEqual(8);
  });
});

const portSchema = z.looseObject({ port: z.number() });
