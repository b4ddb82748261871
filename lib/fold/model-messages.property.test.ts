import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEventBody } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { checkModelMessages } from "./check-model-messages.fixture";
import { foldRunAll } from "./fold-run";
import { toModelMessages } from "./model-messages";
import * as say from "./run-story.fixture";

function run(id: string, text: string | null, bodies: readonly RunEventBody[], more: say.StoryOptions = {}): RunView {
  return foldRunAll(null, say.story(bodies, { runId: id, text, ...more }));
}

describe("for any story", () => {
  const piece = (run_id: string) =>
    fc.oneof(
      fc.tuple(fc.string(), fc.nat(3)).map(([text, step]) => say.token(text, `seg_${step}`, `msg_${step}`)),
      fc.string().map((text) => say.reasoning(text)),
      fc.tuple(fc.nat(5), fc.nat(3)).map(([call, step]) => say.requested([`${run_id}_call_${call}`, `${run_id}_call_${call + 10}`], `msg_${step}`)),
      fc.nat(5).map((call) => say.toolStarted(`${run_id}_call_${call}`)),
      fc.tuple(fc.nat(15), fc.string()).map(([call, result]) => say.toolDone(`${run_id}_call_${call}`, result)),
      fc.tuple(fc.constantFrom("accepted" as const, "applied" as const), fc.string(), fc.nat(2)).map(([kind, text, queue]) => say.steer(kind, text, `que_${queue}`)),
      fc.tuple(fc.string(), fc.subarray(["run_0", "run_1", "run_2"])).map(([summary, covers]) => say.compressed(summary, covers)),
    );
  const ending = fc.constantFrom<readonly RunEventBody[]>([], [say.done()], [say.cancelled()], [say.failed("runtime_interrupted")], [say.done("no_response")]);
  const session = fc.tuple(...[0, 1, 2, 3].map((index) => {
    const runId = `run_${index}`;
    return fc.record({
      text: fc.option(fc.string()),
      source: fc.constantFrom("webui", "queue", "compress", "goal"),
      instruction: fc.string(),
      bodies: fc.array(piece(runId), { maxLength: 20 }),
      ending,
      rewound: fc.boolean(),
    }).map(({ text, source, instruction, bodies, ending: last, rewound }) => ({
      ...run(runId, text, [...bodies, ...last], { source, instruction, at: 1000 + index * 100 }),
      rewound,
    }));
  }));

  it("the messages are valid for a strict provider", () => {
    fc.assert(
      fc.property(session, fc.string(), (views, system) => {
        expect(checkModelMessages(toModelMessages(views, { system, images: true }))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});
