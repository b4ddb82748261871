/** Which seeds a random trial runs: one alone, or the first so many. */
export function trialSeeds(count: number): readonly number[] {
  const only = process.env["HERMES_TRIAL_SEED"];
  if (only !== undefined) return [Number(only)];
  return Array.from({ length: Number(process.env["HERMES_TRIAL_SEEDS"] ?? count) }, (_, index) => index + 1);
}
