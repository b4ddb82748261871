/** `patch`: exact text of a file replaced by other text, once, or everywhere when told so. */
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { AppError } from "#protocol/errors";
import { writeFile } from "#workspace/write";
import { readCurrent } from "./current-file";
import { defineTool, oneLine } from "./define-tool";
import { type ReplaceResult, replaceText } from "./replace-text";
import type { Tool, ToolContext, ToolOutcome } from "./tool-port";
import { countsOf, diffTexts } from "./unified-diff";

const MAX_BYTES = 10 * 1024 * 1024;
const BINARY_PROBE = 8192;

const input = z.object({
  path: z.string().min(1).describe("A file in the workspace."),
  old_text: z.string().min(1).describe("Text exactly as in the file, without line numbers. It must be there once, unless replace_all is set."),
  new_text: z.string().describe("What takes its place."),
  replace_all: z.boolean().nullish().describe("Replace each occurrence."),
});
type PatchInput = z.infer<typeof input>;

function refusal(result: Exclude<ReplaceResult, { kind: "replaced" }>, path: string): ToolOutcome {
  switch (result.kind) {
    case "not_found":
      return { status: "error", result: `old_text is not in ${path}. Read the file and copy the text exactly, without the line numbers.` };
    case "ambiguous":
      return { status: "error", result: `old_text is in ${path} more than once (lines ${result.lines.join(", ")}). Give more of what is around it, or set replace_all.` };
    case "refused":
      return { status: "error", result: `${path} was not changed. ${result.reason}` };
  }
}

/** For the eye only: bytes of an unknown encoding are shown as Latin-1. */
function readable(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
}

async function patchTool(request: PatchInput, context: ToolContext): Promise<ToolOutcome> {
  const { old_text, new_text } = request;
  if (old_text === new_text) return { status: "error", result: "old_text and new_text are the same; there is nothing to change." };
  const old = await readCurrent(context, request.path, MAX_BYTES);
  if (!old.exists) throw new AppError("not_found", `There is nothing at ${old.path}.`);
  if (old.bytes === null) throw new AppError("too_large", `${old.path} is too large to patch.`);
  if (old.bytes.subarray(0, BINARY_PROBE).includes(0)) return { status: "error", result: `${old.path} is a binary file.` };
  const replaced = replaceText(old.bytes, { old_text, new_text, all: request.replace_all === true });
  if (replaced.kind !== "replaced") return refusal(replaced, old.path);
  await context.keep_previous(request.path, old);
  const written = await writeFile(context.workspace, request.path, replaced.bytes, old.condition);
  context.reads.set(written.key, written.version);
  const diff = diffTexts(old.path, readable(old.bytes), readable(replaced.bytes));
  return {
    status: "ok",
    result: `Changed ${old.path}: ${replaced.count === 1 ? "one place" : `${replaced.count} places`}, ${countsOf(diff)} lines.`,
    files: [{ path: old.path, kind: "changed", added: diff.added, removed: diff.removed }],
    data: { kind: "diff", path: old.path, diff: diff.diff, seen: { key: written.key, version: written.version } },
  };
}

export function createPatch(): Tool {
  return defineTool({
    name: "patch",
    description: "Replaces exact text in a file of the workspace. Line ends and encoding of the file are kept.",
    kind: "change",
    input,
    title: ({ path }) => oneLine(path),
    run: patchTool,
  });
}
