import { describe, expect, it } from "vitest";
import { findStrictFault } from "./strict-messages";

const call = (id: string): unknown => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
const user = { role: "user", content: "hi" };
const calls = { role: "assistant", content: null, tool_calls: [call("a"), call("b")] };
const result = (id: string, content = "x"): unknown => ({ role: "tool", tool_call_id: id, content });

describe("a strict provider", () => {
  it.each<readonly [string, readonly unknown[]]>([
    ["one question", [user]],
    ["a system message first", [{ role: "system", content: "s" }, user]],
    ["calls, each with its result", [user, calls, result("a"), result("b")]],
    ["a steer after results", [user, calls, result("a"), result("b"), user]],
    ["turns", [user, { role: "assistant", content: "a" }, user]],
  ])("takes %s", (_what, messages) => {
    expect(findStrictFault({ model: "m", messages })).toBeNull();
  });

  it.each<readonly [string, readonly unknown[]]>([
    ["no message", []],
    ["a call without a result", [user, calls, result("a"), user]],
    ["a result too few at the end", [user, calls, result("a")]],
    ["a result twice", [user, calls, result("a"), result("a"), result("b")]],
    ["a result of no call", [user, result("a")]],
    ["two of the user in a row", [user, user]],
    ["two of the assistant in a row", [user, { role: "assistant", content: "a" }, { role: "assistant", content: "b" }, user]],
    ["an assistant first", [{ role: "assistant", content: "a" }, user]],
    ["an assistant last", [user, { role: "assistant", content: "a" }]],
    ["nothing in a message", [{ role: "user", content: " " }]],
    ["nothing in a result", [user, calls, result("a", ""), result("b")]],
    ["a system message later", [user, { role: "assistant", content: "a" }, { role: "system", content: "s" }, user]],
    ["two calls with one id", [user, { role: "assistant", tool_calls: [call("a"), call("a")] }, result("a")]],
  ])("refuses %s", (_what, messages) => {
    expect(findStrictFault({ model: "m", messages })).toEqual(expect.any(String));
  });
});
