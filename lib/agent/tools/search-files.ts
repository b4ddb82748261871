/** `search_files`: a regular expression over names and lines of the workspace, ignored files left out. */
import { z } from "zod";
import { createPatternScan } from "#workspace/pattern-scan";
import type { FileSearch, FoundPlace } from "#protocol/file-shapes";
import { searchPlaces } from "#workspace/search";
import { defineTool, oneLine } from "./define-tool";
import type { Tool, ToolContext, ToolOutcome } from "./tool-port";

const input = z.object({
  pattern: z.string().min(1).max(1000).describe("JavaScript regular expression, tried on each line and each file name; (?i) at its start ignores case."),
  path: z.string().nullish().describe("Folder or file in the workspace; default is all of it."),
  glob: z.string().max(500).nullish().describe("Only files that fit, e.g. *.ts or src/**/*.{ts,tsx}."),
});
type SearchInput = z.infer<typeof input>;

const NOTES: Readonly<Record<FileSearch["ended"], string>> = {
  complete: "",
  enough: "[there are more; narrow the pattern, the path or the glob]",
  limit: "[the search was cut short by its limits; narrow the path or the glob]",
  too_slow: "[the pattern takes too long on a file; make it simpler]",
};

function lineOf(place: FoundPlace): string {
  if (place.line === null) return place.type === "dir" ? `${place.path}/` : place.path;
  return `${place.path}:${place.line}: ${place.text}`;
}

function toOutcome(found: FileSearch): ToolOutcome {
  const note = NOTES[found.ended];
  const lines = [...found.results.map(lineOf), ...(note === "" ? [] : [note])];
  return {
    status: found.ended === "too_slow" ? "error" : "ok",
    result: lines.length === 0 ? "Nothing was found." : lines.join("\n"),
    data: { kind: "search", places: found.results, truncated: found.truncated },
  };
}

async function searchTool(request: SearchInput, context: ToolContext): Promise<ToolOutcome> {
  const { workspace, signal } = context;
  const read = createPatternScan(request.pattern);
  if (read.kind === "invalid") return { status: "error", result: `The pattern is no regular expression. ${read.message}` };
  const glob = request.glob ?? "";
  const found = await searchPlaces({ workspace, path: request.path ?? "", pattern: read.pattern, signal, ...(glob === "" ? {} : { glob }) });
  return signal.aborted ? { status: "cancelled", result: "[stopped]" } : toOutcome(found);
}

export function createSearchFiles(): Tool {
  return defineTool({
    name: "search_files",
    description: "Finds lines and file names in the workspace that match a regular expression. Answers path:line: text, then names.",
    kind: "search",
    input,
    title: ({ pattern }) => oneLine(pattern),
    run: searchTool,
  });
}
