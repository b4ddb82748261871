import { expect, it } from "vitest";
import { nameTools } from "./tool-names";

it("names are of the letters and the length that every provider takes", () => {
  const names = nameTools([
    { server: "git.hub", tool: "create issue/überall" },
    { server: "a", tool: "x".repeat(200) },
    { server: "a", tool: `${"x".repeat(199)}y` },
  ]);
  expect(names[0]).toBe("mcp_git_hub_create_issue__berall");
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(new Set(names).size).toBe(3);
});

it("two that would be the same are told apart, whichever comes first", () => {
  const first = { server: "a_b", tool: "c" };
  const second = { server: "a", tool: "b_c" };
  const [one, two] = nameTools([first, second]);
  expect(one).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/);
  expect(one).not.toBe(two);
  expect(nameTools([second, first])).toEqual([two, one]);
  expect(nameTools([second])).toEqual(["mcp_a_b_c"]);
});
