/**
 * A minute of trials, of the kinds that matter most, wherever the build is fresh (`npm test` makes
 * one first). `HERMES_TRIAL_SEED=17` plays that seed alone.
 */
import { describe, expect, it } from "vitest";
import { buildIsFresh, currentStamp } from "../bin/set-up/build-stamp.mjs";
import { KINDS } from "./kinds";
import { playTrial } from "./play-trial";

const WITHIN_MS = 5 * 60_000;
const FEW = ["reconnect ordering", "web killed", "runner killed", "both killed", "supervisor killed", "database locked"];

function seeds(): readonly number[] {
  const only = process.env["HERMES_TRIAL_SEED"];
  return only === undefined ? FEW.map((name) => KINDS.findIndex((kind) => kind.name === name)) : [Number(only)];
}

describe.skipIf(!buildIsFresh(currentStamp()))("kill trials on the production build", () => {
  const each = seeds().map((seed) => ({ seed, name: KINDS[seed % KINDS.length]?.name ?? "" }));
  it.each(each)("$name (seed $seed)", async ({ seed }) => {
    const { outcome, notes, story } = await playTrial(seed, false);
    expect(outcome, [...notes, ...story].join("\n")).toBe("passed");
  }, WITHIN_MS);
});
