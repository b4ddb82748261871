/**
 * Random trials against the real host on a virtual clock (it keeps pace with the real one, since commands
 * are real, and leaps where the story says so): J1–J6, H1–H5, C1–C3 after each. `HERMES_TRIAL_SEEDS=500`
 * runs more, `HERMES_TRIAL_SEED=17` one alone with its story.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findBrokenInvariants } from "#testing/check-invariants";
import { createSeededRandom } from "#testing/seeded-random";
import { openTestHost } from "#testing/test-host";
import { trialSeeds } from "#testing/trial-seeds";
import { createRandomPort, playStory, PROMPTS_EXPIRE_S } from "./random-story.fixture";

const BATCHES = 10;

describe("random stories", () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const seeds = trialSeeds(100);
  const size = Math.ceil(seeds.length / BATCHES);
  const batches = Array.from({ length: BATCHES }, (_, index) => seeds.slice(index * size, (index + 1) * size)).filter((batch) => batch.length > 0);
  it.each(batches.map((batch) => ({ batch, name: `${batch[0]} to ${batch.at(-1)}` })))("seeds $name keep every invariant", async ({ batch }) => {
    for (const seed of batch) expect(await brokenBy(seed)).toEqual([]);
  }, 120_000);
});

async function brokenBy(seed: number): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "story-"));
  const random = createSeededRandom(seed);
  const expiry = String(PROMPTS_EXPIRE_S);
  const env = { HERMES_MAX_CONCURRENT_RUNS: String(random.between(1, 4)), HERMES_MAX_STEPS: "4", HERMES_APPROVAL_TIMEOUT_S: expiry, HERMES_CLARIFY_TIMEOUT_S: expiry };
  const host = await openTestHost({ folder, port: createRandomPort(random), env });
  const story: string[] = [];
  try {
    await playStory({ host, random, steps: 60, tell: (line) => story.push(line), goOnBy: async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds)) });
    const broken = await findBrokenInvariants({ database: host.database, journal: host.journal, unfinishedAllowed: false });
    return broken.length === 0 ? [] : [`seed ${seed}`, ...broken, ...story];
  } catch (cause) {
    return [`seed ${seed}`, String(cause), ...story];
  } finally {
    await host.shut();
    await rm(folder, { recursive: true, force: true });
  }
}
