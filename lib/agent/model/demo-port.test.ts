import { describe, expect, it } from "vitest";
import type { ModelMessage } from "#protocol/model-message";
import { createDemoPort } from "./demo-port";
import type { ModelPart } from "./model-port";
import { askFor, collectOutcome, type Outcome } from "./read-outcome.fixture";
import { withRetry } from "./with-retry";

const port = createDemoPort();

function play(...messages: readonly ModelMessage[]): Promise<Outcome> {
  return collectOutcome(port, askFor("", { messages }));
}
const user = (content: string): ModelMessage => ({ role: "user", content });
const answered = (content: string): ModelMessage => ({ role: "assistant", content });
const called = (id: string): readonly ModelMessage[] => [
  { role: "assistant", content: "", tool_calls: [{ id, name: "terminal", arguments: {} }] },
  { role: "tool", tool_call_id: id, name: "terminal", content: "out" },
];
function segments(parts: readonly ModelPart[]): readonly string[] {
  return parts.reduce<readonly string[]>((list, part) => {
    if (part.type !== "text") return list;
    return part.segment === true ? [...list, part.text] : [...list.slice(0, -1), `${list.at(-1) ?? ""}${part.text}`];
  }, []);
}

describe("the demo model", () => {
  it("streams say word by word, each a segment of its own", async () => {
    const seen = await play(user("say one two  three\nsay four\nstream 3 0"));
    expect(segments(seen.parts)).toEqual(["one two  three", "four", "w1 w2 w3"]);
    expect(seen.parts.filter((part) => part.type === "text")).toHaveLength(7);
    expect(seen.parts.at(-1)).toEqual({ type: "finish", reason: "stop" });
    expect(seen.usage).toMatchObject({ input_tokens: 9, output_tokens: 7, reasoning_tokens: null });
  });

  it("calls tools of one step together and tells reasoning apart", async () => {
    const seen = await play(user("think first this\nrun a\nread b\nsay done"));
    expect(seen.reasoning).toBe("first this");
    expect(seen.tools).toEqual([["terminal", '{"command":"a"}'], ["read_file", '{"path":"b"}']]);
    expect(seen.text).toBe("");
    expect(seen.parts.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  });

  describe("finds its place from the messages alone", () => {
    const script = user("run a\n\nrun b\nsay end");
    it("step by step", async () => {
      expect((await play(script)).tools).toEqual([["terminal", '{"command":"a"}']]);
      expect((await play(script, ...called("1"))).tools).toEqual([["terminal", '{"command":"b"}']]);
      expect((await play(script, ...called("1"), ...called("2"))).text).toBe("end");
    });

    it("in a later turn, whatever came before", async () => {
      const before = [user("run x\nsay y"), ...called("0"), answered("y")];
      expect((await play({ role: "system", content: "s" }, ...before, script, ...called("1"))).tools).toEqual([["terminal", '{"command":"b"}']]);
    });

    it("when a steer came after a result", async () => {
      expect((await play(script, ...called("1"), user("run z"), ...called("2"))).text).toBe("end");
    });

    it("after a turn that was stopped and closed by a note", async () => {
      expect((await play(user("run x\nsay never"), ...called("1"), answered("[stopped]"), user("say now"))).text).toBe("now");
    });

    it("says that it is done when the script ends with a call", async () => {
      expect((await play(user("run a"), ...called("1"))).text).toBe("Done.");
    });
  });

  it("B290: answers anything else by quoting it, listing the directives, and saying how to add a model", async () => {
    const { text } = await play(user("What is the weather?"));
    expect(text).toContain("What is the weather?");
    for (const word of ["run", "read", "write", "search", "ask", "plan", "think", "say", "sleep", "stream", "fail"]) expect(text).toContain(`\`${word} <`.replace("plan <", "plan a"));
    expect(text).toContain("OPENAI_API_KEY");
  });

  it.each([
    ["fail provider_quota", "failed:provider_quota"],
    ["fail 401", "failed:provider_auth"],
    ["fail 429", "failed:provider_rate_limited"],
    ["fail 500", "failed:provider_overloaded"],
    ["fail 413", "failed:context_overflow"],
    ["say some\nfail provider_incomplete\nsay never", "failed:provider_incomplete"],
  ])("%s", async (script, outcome) => {
    const seen = await play(user(script));
    expect(seen.outcome).toBe(outcome);
    expect(seen.text).toBe(script.startsWith("say") ? "some" : "");
  });

  it("is retried like any other provider", async () => {
    const seen = await collectOutcome(withRetry(port, { sleep: async () => undefined }), askFor("fail 503"));
    expect(seen.parts.map((part) => part.type)).toEqual(["retry", "retry", "failure"]);
  });

  it.each(["sleep 60000", "stream 100000 0", "stream 10 60000", "say a\nsleep 60000"])("stops at once in %s", async (script) => {
    const stop = new AbortController();
    const started = performance.now();
    setTimeout(() => stop.abort(), 20);
    const seen = await collectOutcome(port, askFor(script), stop.signal);
    expect(seen.parts.at(-1)).toMatchObject({ type: "failure", aborted: true });
    expect(performance.now() - started).toBeLessThan(500);
  });

  it("lets others have their turn while it streams without a pause", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const { text } = await collectOutcome(port, askFor("stream 5000 0"));
    clearInterval(timer);
    expect(text.endsWith("w4999 w5000")).toBe(true);
    expect(turns).toBeGreaterThan(5);
  });
});

describe("auxiliary requests", () => {
  const ask = (first: string, content: string): Promise<Outcome> => play({ role: "system", content: `${first}\nMore words.` }, user(content));

  it("judges done, unless the goal says to continue", async () => {
    expect(JSON.parse((await ask("Hermes goal judge", "Goal: say hi")).text)).toMatchObject({ verdict: "done" });
    expect(JSON.parse((await ask("Hermes goal judge", "Goal: say hi, judge continue")).text)).toMatchObject({ verdict: "continue" });
    expect(JSON.parse((await ask("Hermes goal judge", "Goal:\nsay hi\n\nEnd of the agent's last answer:\njudge continue")).text)).toMatchObject({ verdict: "done" });
  });

  it("names a title and sums up, and plays no script", async () => {
    expect((await ask("Hermes title", "run ls -la in the folder of the project and then tell me all about it")).text).toBe("Run ls -la in the folder of the project and…");
    expect((await ask("Hermes title", "Person: say hello\n\nAgent: hello")).text).toBe("Say hello");
    const summary = await ask("Hermes compression", "run ls");
    expect(summary.text).toContain("run ls");
    expect(summary.tools).toEqual([]);
  });
});
