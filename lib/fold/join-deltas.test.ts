import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEventBody } from "#protocol/events";
import { foldRunAll } from "./fold-run";
import { joinBodies } from "./join-deltas";
import * as say from "./run-story.fixture";

function stderr(call: string, piece: string): RunEventBody {
  return { type: "tool.updated", payload: { tool_call_id: call, stderr: piece } };
}

describe("joinBodies", () => {
  it("joins deltas of one segment and output of one call on one channel", () => {
    expect(joinBodies(say.token("a"), say.token("b"))).toEqual(say.token("ab"));
    expect(joinBodies(say.reasoning("a"), say.reasoning("b"))).toEqual(say.reasoning("ab"));
    expect(joinBodies(say.stdout("call_1", "a"), say.stdout("call_1", "b"))).toEqual(say.stdout("call_1", "ab"));
    expect(joinBodies(stderr("call_1", "a"), stderr("call_1", "b"))).toEqual(stderr("call_1", "ab"));
  });

  it.each<readonly [string, RunEventBody, RunEventBody]>([
    ["two segments", say.token("a", "seg_1"), say.token("b", "seg_2")],
    ["two messages", say.token("a", "seg_1", "msg_a"), say.token("b", "seg_1", "msg_b")],
    ["text and reasoning", say.token("a"), say.reasoning("b")],
    ["two calls", say.stdout("call_1", "a"), say.stdout("call_2", "b")],
    ["two channels", say.stdout("call_1", "a"), stderr("call_1", "b")],
    ["progress beside output", say.stdout("call_1", "a"), { type: "tool.updated", payload: { tool_call_id: "call_1", stdout: "b", progress: "half" } }],
    ["data", { type: "tool.updated", payload: { tool_call_id: "call_1", data: 1 } }, { type: "tool.updated", payload: { tool_call_id: "call_1", data: 2 } }],
    ["a key of a later version", say.token("a"), { type: "token.delta", payload: { ...say.tokenPayload("b"), hint: 1 } }],
    ["two endings", say.done(), say.done()],
  ])("keeps apart: %s", (_name, first, second) => {
    expect(joinBodies(first, second)).toBeNull();
  });

  const delta = fc.oneof(
    fc.tuple(fc.string(), fc.constantFrom("seg_1", "seg_2")).map(([text, segment]) => say.token(text, segment)),
    fc.string().map((text) => say.reasoning(text)),
    fc.tuple(fc.string(), fc.constantFrom("call_1", "call_2")).map(([text, call]) => say.stdout(call, text)),
    fc.tuple(fc.string(), fc.constantFrom("call_1", "call_2")).map(([text, call]) => stderr(call, text)),
  );

  it("joined or not, the view is the same", () => {
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 60 }), (bodies) => {
        const joined: RunEventBody[] = [];
        for (const body of bodies) {
          const last = joined.at(-1);
          const both = last === undefined ? null : joinBodies(last, body);
          if (both === null) joined.push(body);
          else joined[joined.length - 1] = both;
        }
        const open = say.requested(["call_1", "call_2"]);
        const plain = foldRunAll(null, say.story([open, ...bodies]));
        const short = foldRunAll(null, say.story([open, ...joined]));
        const timeless = (view: typeof plain) => view.parts.map((part) => (part.type === "reasoning" ? { ...part, started_at: 0 } : part));
        expect(timeless(short)).toEqual(timeless(plain));
      }),
    );
  });
});
