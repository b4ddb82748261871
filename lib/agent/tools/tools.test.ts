import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "#protocol/errors";
import { z } from "zod";
import { createIdFactory } from "#protocol/ids";
import { createBackgroundProcesses } from "./background-processes";
import { createClarify, parseClarify } from "./clarify";
import { defineTool, oneLine } from "./define-tool";
import { createTools, TOOLSETS, toolSchemas, toolsIn } from "./registry";
import { runTool } from "./run-tool";
import { makeToolFixture, type ToolFixture } from "./tool-fixture";
import type { Tool, ToolOutcome } from "./tool-port";

let fixture: ToolFixture;
beforeEach(async () => {
  fixture = await makeToolFixture();
});
afterEach(() => fixture.remove());

function toolThat(run: () => Promise<ToolOutcome>): Tool {
  return defineTool({ name: "odd", description: "", kind: "other", input: z.object({ count: z.number() }), title: () => "odd", run });
}

function allTools(): readonly Tool[] {
  return createTools({
    ambient: {},
    processes: createBackgroundProcesses({ create_id: createIdFactory(), now: () => 0, ended: () => {} }),
    memory: { apply: (change, context) => Promise.resolve({ ok: change.target === "user", text: `${change.content} in ${context.home}` }) },
    session_search: { search: (query) => Promise.resolve(query === "x" ? [] : [{ session_id: "ses_1", title: "T", run_id: "run_1", snippet: "… kite …", created_at: 0 }]) },
    skills: { list: () => Promise.resolve([{ name: "a", description: "does a" }]), view: (name) => Promise.resolve({ ok: name === "a", text: "# A" }) },
    delegate: { delegate: (task) => Promise.resolve({ ok: true, text: `did ${task.goal}`, session_id: "ses_2", run_id: "run_2" }) },
  });
}

function call(name: string, given: unknown): Promise<ToolOutcome> {
  return runTool(allTools().find((tool) => tool.name === name), name, given, fixture.context);
}

describe("run-tool, where everything that goes wrong becomes an answer (B204)", () => {
  it("answers for unknown tools and unfit arguments", async () => {
    expect(await call("nope", {})).toEqual({ status: "error", result: "There is no tool named nope." });
    for (const given of [null, "{\"path\":", [], 5, undefined]) expect(await call("read_file", given)).toMatchObject({ status: "error", result: expect.stringContaining("JSON object") });
    expect(await call("read_file", { path: 5 })).toMatchObject({ status: "error", result: expect.stringContaining("path: ") });
  });

  it("answers for what a tool throws, without telling secrets", async () => {
    const thrown = (error: unknown) => runTool(toolThat(() => Promise.reject(error)), "odd", { count: 1 }, fixture.context);
    expect(await thrown(new AppError("conflict", "Taken."))).toEqual({ status: "error", result: "conflict: Taken." });
    expect(await thrown(new Error("sk-secret"))).toEqual({ status: "error", result: "odd failed unexpectedly. Try it differently or go on without it." });
    const sync = toolThat(() => {
      throw new Error("x");
    });
    expect(await runTool(sync, "odd", { count: 1 }, fixture.context)).toMatchObject({ status: "error" });
    fixture.abort();
    expect(await thrown(new Error("aborted"))).toMatchObject({ status: "cancelled" });
  });

  it("cuts a result at 100,000 characters", async () => {
    const outcome = await runTool(toolThat(() => Promise.resolve({ status: "ok", result: `start${"x".repeat(300_000)}end` })), "odd", { count: 1 }, fixture.context);
    expect(outcome.result.length).toBeLessThanOrEqual(100_000);
    expect(outcome.result).toMatch(/^startx+\n\[result cut: 99900 of 300008 characters shown\]\nx+end$/);
    expect(outcome.truncated).toEqual({ shown: 99_900, total: 300_008 });
  });
});

describe("clarify", () => {
  it("takes one question or several, and gives them ids", () => {
    expect(parseClarify({ question: " Which? ", choices: ["a", "b"] })).toEqual({ ok: true, questions: [{ id: "q1", question: "Which?", choices: ["a", "b"], multi_select: false, allow_free_text: true }] });
    const several = parseClarify({ question: "ignored", questions: [{ question: "One" }, { question: "Two", choices: ["x"], multi_select: true }] });
    expect(several).toMatchObject({ ok: true, questions: [{ id: "q1", question: "One", choices: [] }, { id: "q2", question: "Two", multi_select: true }] });
    expect(parseClarify({ questions: '[{"question":"From text"}]' })).toMatchObject({ ok: true, questions: [{ question: "From text" }] });
  });

  it("unwraps choices, drops empty and repeated ones, keeps four", () => {
    const choices = [{ label: "A" }, { description: "B" }, { text: "C" }, "A", "", null, { title: "D" }, "E", 7];
    expect(parseClarify({ question: "?", choices })).toMatchObject({ ok: true, questions: [{ choices: ["A", "B", "C", "D"] }] });
  });

  it("says what is wrong", () => {
    for (const given of [{}, { question: " " }, { questions: [] }, { questions: [{ question: "" }] }, { questions: 5 }, null]) expect(parseClarify(given)).toMatchObject({ ok: false });
    expect(parseClarify({ questions: Array.from({ length: 6 }, () => ({ question: "?" })) })).toMatchObject({ ok: false, message: expect.stringContaining("at most 5") });
  });

  it("is never run as a tool of its own", async () => {
    expect(await runTool(createClarify(), "clarify", { question: "?" }, fixture.context)).toMatchObject({ status: "error", result: expect.stringContaining("judgement") });
    expect(await runTool(createClarify(), "clarify", {}, fixture.context)).toMatchObject({ status: "error", result: expect.stringContaining("question") });
  });
});

describe("the small tools", () => {
  it("todo takes the whole plan", async () => {
    const items = [{ id: 1, text: "a", status: "completed" }, { id: "2", text: "b", status: "in_progress" }];
    expect(await call("todo", { items })).toMatchObject({
      status: "ok",
      result: "1 of 2 done\n1. [completed] a\n2. [in_progress] b",
      data: { items: [{ id: "1", text: "a", status: "completed" }, { id: "2", text: "b", status: "in_progress" }] },
    });
    expect(await call("todo", { items: [items[0], items[0]] })).toMatchObject({ status: "error", result: expect.stringContaining("id 1") });
    expect(await call("todo", { items: [] })).toMatchObject({ status: "ok" });
  });

  it("those with a port pass on what they were asked, and for whom", async () => {
    expect(await call("memory", { action: "add", target: "user", content: "likes tea" })).toEqual({ status: "ok", result: `likes tea in ${fixture.context.home}` });
    expect(await call("memory", { action: "replace", target: "memory", content: "x" })).toMatchObject({ status: "error", result: "replace needs match." });
    expect(await call("memory", { action: "add", target: "memory", content: "x" })).toMatchObject({ status: "error" });
    expect((await call("session_search", { query: "kite" })).result).toBe("1970-01-01 T (ses_1): … kite …");
    expect((await call("session_search", { query: "x" })).result).toBe("Nothing was found.");
    expect((await call("skills", { action: "list" })).result).toBe("a: does a");
    expect(await call("skills", { action: "view", name: "a" })).toMatchObject({ status: "ok", result: "# A" });
    expect(await call("skills", { action: "view" })).toMatchObject({ status: "error" });
    expect(await call("delegate_task", { goal: "g" })).toMatchObject({ status: "ok", result: "did g", data: { session_id: "ses_2" } });
  });
});

describe("the registry", () => {
  it("has each tool in one toolset, by a name of its own", () => {
    const names = allTools().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.values(TOOLSETS).flat().toSorted()).toEqual(names.toSorted());
    expect(toolsIn(allTools(), ["file", "todo", "nothing"]).map(({ name }) => name)).toEqual(["read_file", "write_file", "patch", "search_files", "todo"]);
  });

  it("gives titles: the command, path, pattern or address", () => {
    const title = (name: string, given: unknown) => {
      const tool = allTools().find((candidate) => candidate.name === name);
      const parsed = tool?.input.safeParse(given);
      return tool !== undefined && parsed?.success === true ? tool.title(parsed.data) : null;
    };
    expect(title("terminal", { command: "ls -la\n  echo x", cwd: null })).toBe("ls -la echo x");
    expect(title("read_file", { path: "a/b.ts" })).toBe("a/b.ts");
    expect(title("search_files", { pattern: "x+" })).toBe("x+");
    expect(title("web_fetch", { url: "https://e.com/a" })).toBe("https://e.com/a");
    expect(title("clarify", { question: "Which?" })).toBe("Which?");
    expect(oneLine("x".repeat(5000)).length).toBe(2000);
  });

  it("makes schemas that strict providers take", () => {
    for (const schema of toolSchemas(allTools())) {
      const text = JSON.stringify(schema);
      expect(schema.parameters, schema.name).toMatchObject({ type: "object", properties: expect.any(Object) });
      expect(text, schema.name).not.toMatch(/"null"|\$schema|"anyOf":\[\{[^[]*\}\]/);
    }
    const terminal = toolSchemas(allTools()).find(({ name }) => name === "terminal");
    expect(terminal?.parameters).toMatchObject({ required: ["command"], properties: { cwd: { type: "string", description: expect.stringContaining("Folder") }, timeout_s: { type: "number", maximum: 600 } } });
    const clarify = toolSchemas(allTools()).find(({ name }) => name === "clarify");
    expect(clarify?.parameters).toMatchObject({ properties: { questions: { type: "array", items: { type: "object", properties: { choices: { type: "array", items: { type: "string" } } } } } } });
    const todo = toolSchemas(allTools()).find(({ name }) => name === "todo");
    expect(todo?.parameters).toMatchObject({ properties: { items: { items: { properties: { id: { type: "string" }, status: { enum: ["pending", "in_progress", "completed", "cancelled"] } } } } } });
  });
});
