import { describe, expect, it } from "vitest";
import { foldRunAll } from "#fold/fold-run";
import { approvalRequested, done, reasoning, requested, status, story, token, toolDone, toolStarted } from "#fold/run-story.fixture";
import type { RunEventBody } from "#protocol/events";
import { runPhase } from "./run-phase";
import { toolFact, type ToolPart, toolKindOf, toolVerb } from "./tool-words";

const part: ToolPart = {
  type: "tool",
  tool_call_id: "call_1",
  message_id: "msg_1",
  name: "terminal",
  title: "npm test",
  arguments: {},
  status: "ok",
  stdout: "",
  stderr: "",
  data: null,
  progress: null,
  result: "",
  exit_code: null,
  duration_ms: 41_800,
  started_at: 1000,
  truncated: null,
  files: [],
  redacted: false,
  invalid: null,
};
const line = (change: Partial<ToolPart>): string => {
  const tool = { ...part, ...change };
  return `${toolVerb(toolKindOf(tool.name), tool)} | ${toolFact(tool, "person", 12) ?? ""}`;
};

describe("a tool row in words", () => {
  it("has a verb and a fact for each state", () => {
    expect(line({})).toBe("Ran | 41.8 s");
    expect(line({ status: "pending", started_at: null, duration_ms: null })).toBe("Next | ");
    expect(line({ status: "running", duration_ms: null })).toBe("Running | 12 s");
    expect(line({ status: "error", exit_code: 2, duration_ms: 3100 })).toBe("Ran | exit 2 · 3.1 s");
    expect(line({ status: "denied", started_at: null })).toBe("Not run | you denied it");
    expect(line({ status: "cancelled", duration_ms: 8000 })).toBe("Ran | stopped by you after 8 s");
    expect(line({ status: "cancelled", started_at: null, duration_ms: null })).toBe("Not run | stopped by you");
    expect(line({ status: "interrupted", duration_ms: 66_000 })).toBe("Ran | cut off after 1 min 6 s");
  });

  it("tells what was touched where that says more than the time", () => {
    const range = { kind: "file", path: "a", first_line: 88, shown_lines: 54, total_lines: 203 };
    expect(line({ name: "read_file", data: range })).toBe("Read | lines 88–141 of 203");
    expect(line({ name: "read_file", data: { ...range, first_line: 1, shown_lines: 203 } })).toBe("Read | 203 lines");
    const place = (path: string) => ({ path, type: "file", line: 1, text: "x" });
    expect(line({ name: "search_files", data: { places: [place("a"), place("a"), place("b")], truncated: false } })).toBe("Searched for | 3 places in 2 files");
    expect(line({ name: "search_files", data: { places: [], truncated: false } })).toBe("Searched for | nothing found");
    expect(line({ name: "web_fetch", data: { bytes: 12_000 }, duration_ms: 800 })).toBe("Opened | 12 KB · 0.8 s");
    expect(line({ name: "read_file", status: "error", duration_ms: 20 })).toBe("Could not read | under 0.1 s");
    expect(line({ name: "mcp_weather" })).toBe("Used | 41.8 s");
  });
});

describe("what a run is doing", () => {
  const phase = (bodies: readonly RunEventBody[]) => {
    const found = runPhase(foldRunAll(null, story(bodies)));
    return found === null ? null : `${found.label} since ${found.since ?? "-"}`;
  };

  it("follows the newest work, and counts from where it began", () => {
    expect(phase([])).toBe("Waiting for the model since 1000");
    expect(phase([reasoning("hm")])).toBe("Thinking since 1001");
    expect(phase([reasoning("hm"), token("x")])).toContain("Writing");
    expect(phase([requested(["call_1"]), toolStarted("call_1")])).toBe("Running a command since 1002");
    expect(phase([requested(["call_1"]), toolStarted("call_1"), toolDone("call_1")])).toContain("Waiting for the model");
  });

  it("is silent where a prompt says it all, and counts nothing where nothing runs", () => {
    expect(phase([requested(["call_1"]), approvalRequested("apr_1", "call_1"), status("awaiting_approval")])).toBeNull();
    expect(phase([status("queued")])).toBe("Waiting for a free place since -");
    expect(phase([status("cancelling")])).toBe("Stopping since -");
    expect(phase([token("x"), done()])).toBeNull();
  });
});
