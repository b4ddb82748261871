/** The answer of an MCP tool as a model reads it: texts joined, whatever is no text named in brackets. */
import { z } from "zod";
import { plainText } from "../text-excerpt";
import type { ToolOutcome } from "../tool-port";

/** Of `tools/call`; loose, because a server that bends the protocol may still have said something useful. */
export const callResultSchema = z.looseObject({
  content: z.array(z.unknown()).nullish().catch(null),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish().catch(null),
});
type CallResult = z.infer<typeof callResultSchema>;

const resourceSchema = z.looseObject({ uri: z.string(), text: z.string().optional(), blob: z.string().optional(), mimeType: z.string().optional() });
const blockSchema = z.union([
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string().optional() }),
  z.looseObject({ type: z.literal("resource"), resource: resourceSchema }),
  z.looseObject({ type: z.literal("resource_link"), uri: z.string(), name: z.string().optional() }),
]);
type Block = z.infer<typeof blockSchema>;

function bytesNote(what: string, base64: string, type: string | undefined): string {
  return `[${what}${type === undefined ? "" : ` ${type}`}, ${Buffer.byteLength(base64, "base64")} bytes, not shown]`;
}

function textOf(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return bytesNote(block.type, block.data, block.mimeType);
    case "resource": {
      const { uri, text, blob, mimeType } = block.resource;
      return text === undefined ? `${uri} ${bytesNote("content", blob ?? "", mimeType)}` : `${uri}:\n${text}`;
    }
    case "resource_link":
      return `[link] ${block.name ?? ""} ${block.uri}`.replace(/ {2,}/, " ");
  }
}

export function outcomeOf(result: CallResult): ToolOutcome {
  const texts = (result.content ?? []).map((entry) => {
    const block = blockSchema.safeParse(entry);
    return block.success ? textOf(block.data) : "[a part of an unknown kind, not shown]";
  });
  // By the protocol structured content is told as text, too; not every server does.
  if (texts.length === 0 && result.structuredContent !== undefined) texts.push(JSON.stringify(result.structuredContent));
  const text = plainText(texts.join("\n"));
  return { status: result.isError === true ? "error" : "ok", result: text.trim() === "" ? "(an empty answer)" : text };
}
