import { expect, test } from "vitest";
import { nextRestart, RESTART_BACKOFF } from "./backoff";

const { delaysMs, minimumUptimeMs } = RESTART_BACKOFF;

test("the first restart comes within two seconds, later ones ever more slowly, up to a bound", () => {
  const delays: number[] = [];
  let failures = 0;
  for (let death = 0; death < 10; death += 1) {
    const restart = nextRestart(failures, 0);
    failures = restart.failures;
    delays.push(restart.delayMs);
  }
  expect(delays[0]).toBeLessThan(2000);
  expect(delays).toEqual([...delays].sort((one, other) => one - other));
  expect(delays.at(-1)).toBe(delaysMs.at(-1));
});

test("S1: a short life does not begin the backoff anew, a life of the minimum uptime does", () => {
  expect(nextRestart(3, minimumUptimeMs - 1)).toEqual({ failures: 4, delayMs: delaysMs[3] });
  expect(nextRestart(3, minimumUptimeMs)).toEqual({ failures: 1, delayMs: delaysMs[0] });
});
