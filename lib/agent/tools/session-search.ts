/** `session_search`: earlier conversations, by their words. */
import { z } from "zod";
import { defineTool, oneLine } from "./define-tool";
import type { Tool, ToolContext } from "./tool-port";

const input = z.object({ query: z.string().min(1).max(500).describe("Words that were said.") });

interface FoundMessage {
  readonly session_id: string;
  readonly title: string;
  readonly run_id: string;
  readonly snippet: string;
  /** Unix seconds. */
  readonly created_at: number;
}

export interface SessionSearchPort {
  /** Best first. Only sessions of the profile whose home `context.home` is. */
  search(query: string, context: ToolContext): Promise<readonly FoundMessage[]>;
}

export function createSessionSearch(port: SessionSearchPort): Tool {
  return defineTool({
    name: "session_search",
    description: "Searches earlier sessions of this profile and answers where something was said.",
    kind: "search",
    input,
    title: ({ query }) => oneLine(query),
    async run({ query }, context) {
      const found = await port.search(query, context);
      const lines = found.map((hit) => `${new Date(hit.created_at * 1000).toISOString().slice(0, 10)} ${hit.title} (${hit.session_id}): ${hit.snippet}`);
      return { status: "ok", result: lines.length === 0 ? "Nothing was found." : lines.join("\n"), data: { kind: "sessions", results: found } };
    },
  });
}
