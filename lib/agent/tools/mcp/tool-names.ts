/**
 * Names under which a model calls the tools of MCP servers: `mcp_<server>_<tool>` in the letters and
 * the length that every provider takes. Two that would be the same, or are too long, get a mark made
 * of what they stand for, both of them: a name never depends on which server came first, so what a
 * person allowed for one tool is not taken over by another.
 */
import { createHash } from "node:crypto";

export interface ServerTool {
  readonly server: string;
  readonly tool: string;
}

const MAX_LENGTH = 64;
const MARK_LENGTH = 8;

function plainName({ server, tool }: ServerTool): string {
  return `mcp_${server}_${tool}`.replace(/[^a-zA-Z0-9_-]/g, "_");
}

function markedName(entry: ServerTool): string {
  const mark = createHash("sha256").update(`${entry.server}\0${entry.tool}`).digest("hex").slice(0, MARK_LENGTH);
  return `${plainName(entry).slice(0, MAX_LENGTH - MARK_LENGTH - 1)}_${mark}`;
}

/** One name for each entry, in the same order; no entry may be there twice. */
export function nameTools(entries: readonly ServerTool[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(plainName(entry), (counts.get(plainName(entry)) ?? 0) + 1);
  return entries.map((entry) => {
    const plain = plainName(entry);
    return plain.length <= MAX_LENGTH && counts.get(plain) === 1 ? plain : markedName(entry);
  });
}
