/**
 * The 29 byte-level samples (cases B128–B181): each must come out as expected however the network
 * cuts it: as written, one byte per write, cut at every byte, ended by a reset instead of a close.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { rawReply, type ReplyStep } from "#testing/model-replies";
import { startModelServer, type ModelServer } from "#testing/model-server";
import { ChatAnswer } from "./chat-answer";
import { createChatPort } from "./chat-port";
import { FrameReader } from "./frame-reader";
import type { ModelPart, ModelPort } from "./model-port";
import { DEFAULT_TRANSPORT_LIMITS } from "./provider-fetch";
import { askFor, collectOutcome, readOutcome, type Outcome } from "./read-outcome.fixture";

const sampleSchema = z.object({
  id: z.string(),
  content_type: z.string(),
  close: z.string(),
  chunks_b64: z.array(z.string().transform((text) => new Uint8Array(Buffer.from(text, "base64")))),
  expected: z.object({
    outcome: z.string(),
    text: z.string(),
    reasoning: z.string(),
    tools: z.array(z.tuple([z.string(), z.string()])),
    usage: z.union([z.literal("any"), z.tuple([z.number(), z.number()])]),
  }),
});
type Sample = z.infer<typeof sampleSchema>;

const samples = readFileSync(new URL("sse-samples.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => sampleSchema.parse(JSON.parse(line)));
const TOOLS = new Set(["read_file", "write_file", "list_workspace"]);

/** What each sample holds, with its case. */
const KINDS: Readonly<Record<string, string>> = {
  P01: "P01: two calls without an index (B128)",
  P03: "P03: a call that never has an id (B130)",
  P05: "P05: the name with each piece (B132)",
  P07: "P07: null before the arguments (B134)",
  P08: "P08: a tool without arguments (B135)",
  P11: "P11: a call and then stop (B138)",
  P14: "P14: a call and no word of an end (B141)",
  P16: "P16: text without any end (B144)",
  P17: "P17: a socket that stays open (B146)",
  P20: "P20: totals on every chunk (B149)",
  P22: "P22: choices empty, then null (B180)",
  P23: "P23: an error in a good stream (B151)",
  P26: "P26: nothing but [DONE] (B154)",
  P27: "P27: an error as a JSON body (B155)",
  P28: "P28: a whole answer as a JSON body (B155)",
  P30: "P30: comments between the frames (B157)",
  P32: "P32: empty data lines (B159)",
  P34: "P34: CRLF line ends (B161)",
  P37: "P37: characters cut in two (B167)",
  P39: "P39: no space after the colon (B165)",
  P40: "P40: frames glued and cut (B164)",
  P41: "P41: no blank line at the end (B165)",
  P42: "P42: thinking as reasoning_content (B170)",
  P43: "P43: thinking as reasoning (B170)",
  P45: "P45: think tags in pieces (B172)",
  P49: "P49: roles again and again, null contents (B177)",
  P50: "P50: content as a list of parts (B177)",
  P53: "P53: the output limit inside a call (B147)",
  P59: "P59: one frame that cannot be read (B181)",
};
const titled = samples.map((sample) => [KINDS[sample.id] ?? sample.id, sample] as const);

it("names each sample's case, so that the map of acceptance finds it", () => {
  expect(samples.map((sample) => sample.id)).toEqual(Object.keys(KINDS));
});

function expectSample(sample: Sample, seen: Outcome): void {
  const { expected } = sample;
  expect(expected.outcome.split("|")).toContain(seen.outcome);
  expect({ text: seen.text, reasoning: seen.reasoning, tools: seen.tools }).toEqual({ text: expected.text, reasoning: expected.reasoning, tools: expected.tools });
  if (expected.usage !== "any") expect([seen.usage?.input_tokens, seen.usage?.output_tokens]).toEqual(expected.usage);
  expect(seen.text + seen.reasoning).not.toMatch(/�|null|undefined/);
  if (sample.id === "P59") expect(seen.warnings).toBe(1);
}

/** Straight through the reader: these writes, then a clean end. */
function readWrites(writes: readonly Uint8Array[]): Outcome {
  const frames = new FrameReader();
  const answer = new ChatAnswer(TOOLS, []);
  const parts: ModelPart[] = [];
  for (const write of writes) for (const frame of frames.push(write)) parts.push(...answer.accept(frame));
  for (const frame of frames.end()) parts.push(...answer.accept(frame));
  return readOutcome([...parts, ...answer.end(null)]);
}

function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(chunks));
}

describe.each(titled)("%s", (_title, sample) => {
  it("is right at one byte per write", () => {
    expectSample(sample, readWrites([...joinBytes(sample.chunks_b64)].map((byte) => new Uint8Array([byte]))));
  });

  it("is right when cut at every byte", () => {
    const whole = joinBytes(sample.chunks_b64);
    for (let at = 0; at <= whole.length; at += 1) expectSample(sample, readWrites([whole.subarray(0, at), whole.subarray(at)]));
  });

  it("never passes for complete, nor runs a half call, when it ends early anywhere", () => {
    const whole = joinBytes(sample.chunks_b64);
    const full = readWrites([whole]);
    for (let at = 0; at < whole.length; at += 1) {
      const seen = readWrites([whole.subarray(0, at)]);
      // What may have become a tag is shown as it came when nothing follows.
      expect(full.text.startsWith(seen.text.replace(/<\/?[a-z]*$/, ""))).toBe(true);
      if (seen.outcome === "completed") expect({ text: seen.text, tools: seen.tools }).toEqual({ text: full.text, tools: full.tools });
      else expect(seen.tools).toEqual([]);
    }
  });
});

describe("over a socket", () => {
  let server: ModelServer;
  let port: ModelPort;
  beforeAll(async () => {
    server = await startModelServer();
    port = createChatPort({ provider: "p", base_url: server.url, api_key: null, reasoning_style: "effort", load_image: async () => null, limits: DEFAULT_TRANSPORT_LIMITS });
  });
  afterAll(() => server.close());

  function serve(sample: Sample, ending: readonly ReplyStep[]): void {
    const writes = sample.chunks_b64.flatMap((bytes): ReplyStep[] => [{ kind: "bytes", bytes }, { kind: "pause", ms: 2 }]);
    server.script(() => rawReply([...writes, ...ending], { "content-type": sample.content_type }));
  }

  it.each(titled)("%s, as it was recorded", async (_title, sample) => {
    serve(sample, sample.close === "eof" ? [] : [{ kind: "hold" }]);
    const started = performance.now();
    expectSample(sample, await collectOutcome(port, askFor("go")));
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it.each(titled)("%s, with a reset in place of the end", async (_title, sample) => {
    serve(sample, [{ kind: "pause", ms: 15 }, { kind: "reset" }]);
    expectSample(sample, await collectOutcome(port, askFor("go")));
  });
});
