/** Two things at one instant, many times: whichever comes first, row, journal and transcript tell the same story. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findBrokenInvariants } from "#testing/check-invariants";
import { createSeededRandom } from "#testing/seeded-random";
import { openStory, texts, type HostStory } from "./host-story.fixture";

const CANCELS = 200;
const AT_ONCE = 8;
const TURNS = 50;

let story: HostStory;
beforeEach(async () => {
  story = await openStory({ env: { HERMES_MAX_CONCURRENT_RUNS: String(AT_ONCE) } });
});
afterEach(() => story.close());

it("a stop in the moment of the end: one end, which the answer to the stop tells, in row, journal and transcript (B045)", async () => {
  const random = createSeededRandom(45);
  const outcomes: { readonly accepted: boolean; readonly runId: string }[] = [];
  const lane = async (count: number): Promise<void> => {
    const began = performance.now();
    await story.ended((await story.start("stream 2 1")).run_id);
    let usual = performance.now() - began;
    for (let number = 0; number < count; number += 1) {
      const started = performance.now();
      const { run_id } = await story.start("stream 2 1");
      // Around the moment in which runs end on this machine.
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, usual * (0.4 + random.next()) - (performance.now() - started))));
      const stopped = await story.host.host.cancel(run_id, "Stopped.");
      if (!stopped.ok) throw new Error(stopped.error.message);
      outcomes.push({ accepted: stopped.value.accepted, runId: run_id });
      await story.ended(run_id);
      if (!stopped.value.accepted) usual = Math.min(usual, performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => lane(CANCELS / AT_ONCE)));
  expect(new Set(outcomes.map((outcome) => outcome.accepted)).size, "some came before the end and some after").toBe(2);
  expect(outcomes).toHaveLength(CANCELS);
  for (const { accepted, runId } of outcomes) {
    const view = await story.view(runId);
    expect(view.terminal_state).toBe(accepted ? "cancelled" : "completed");
    const events = await story.lawful(runId);
    expect(events.at(-1)?.type).toBe(accepted ? "cancelled" : "done");
    if (!accepted) expect(texts(view)).toEqual(["w1 w2"]);
  }
  expect(await findBrokenInvariants({ database: story.host.database, journal: story.host.journal, unfinishedAllowed: false })).toEqual([]);
}, 60_000);

describe("a message in the moment of the end", () => {
  it("is the next turn, after the one that ended, each once (B029)", async () => {
    const first = await story.start("say answer 0");
    const { session_id } = first;
    let last = first.run_id;
    for (let turn = 1; turn < TURNS; turn += 1) {
      // As a page that hears of the end and sends at once.
      for await (const chunk of story.host.journal.tailRun(last, 0, AbortSignal.timeout(15_000))) expect(chunk.count).toBeGreaterThan(0);
      last = (await story.start(`say answer ${turn}`, session_id)).run_id;
    }
    await story.ended(last);
    const runs = await story.runsOf(session_id);
    expect(runs.map((run) => [run.message?.text, ...texts(run)])).toEqual(Array.from({ length: TURNS }, (_, turn) => [`say answer ${turn}`, `answer ${turn}`]));
  }, 60_000);
});
