/** `write_file`: a whole file, new or in place of the old one. */
import { z } from "zod";
import { decodeText } from "#workspace/read";
import { writeFile } from "#workspace/write";
import { readCurrent } from "./current-file";
import { defineTool, oneLine } from "./define-tool";
import type { Tool, ToolContext, ToolOutcome } from "./tool-port";
import { countsOf, diffTexts, linesOf } from "./unified-diff";

const MAX_CONTENT_CHARACTERS = 5_000_000;
/** Of a bigger or a binary old file no diff is shown. */
const MAX_DIFFED_BYTES = 5 * 1024 * 1024;

const input = z.object({
  path: z.string().min(1).describe("A file in the workspace; missing folders are made."),
  content: z.string().max(MAX_CONTENT_CHARACTERS).describe("The whole new content."),
});

async function writeTool(path: string, content: string, context: ToolContext): Promise<ToolOutcome> {
  const old = await readCurrent(context, path, MAX_DIFFED_BYTES);
  await context.keep_previous(path, old);
  const written = await writeFile(context.workspace, path, content, old.condition);
  context.reads.set(written.key, written.version);
  const before = old.bytes === null ? null : decodeText(old.bytes, false);
  const shown = before !== null || !old.exists;
  const diff = shown ? diffTexts(written.entry.path, before, content) : { diff: "", added: linesOf(content), removed: 0 };
  const kind = written.created ? "created" : "changed";
  return {
    status: "ok",
    result: `${written.created ? "Created" : "Replaced"} ${written.entry.path} (${countsOf(diff)} lines).`,
    files: [{ path: written.entry.path, kind, added: diff.added, removed: diff.removed }],
    data: { kind: "diff", path: written.entry.path, diff: diff.diff, seen: { key: written.key, version: written.version } },
  };
}

export function createWriteFile(): Tool {
  return defineTool({
    name: "write_file",
    description: "Writes a whole text file in the workspace. To change a part of a file use patch.",
    kind: "write",
    input,
    title: ({ path }) => oneLine(path),
    run: ({ path, content }, context) => writeTool(path, content, context),
  });
}
