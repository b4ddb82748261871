import { expect, test } from "vitest";
import { allows, checkEngines } from "./engines.mjs";

test.each([
  ["*", true],
  [">=18", true],
  [">= 0.8", true],
  [">18", true],
  ["20.x", true],
  ["<=20", true],
  ["^20.19.0 || >=22.12.0", true],
  [">= 18.12.0 <21", true],
  ["18 - 20", true],
  ["~20.19", true],
  [">=22", false],
  [">=20.20", false],
  ["^20.19.1", false],
  [">=10 <20", false],
  ["18.x || 22.x", false],
  ["the newest", false],
])("whether %s allows 20.19.0: %s", (range, expected) => {
  expect(allows(range, [20, 19, 0])).toBe(expected);
});

test("every installed package runs on the oldest Node.js that is promised", () => {
  const { checked, problems } = checkEngines();
  expect(problems).toEqual([]);
  expect(checked).toBeGreaterThan(100);
});
