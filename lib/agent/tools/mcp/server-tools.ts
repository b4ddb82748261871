/**
 * What an MCP server says of its tools, taken with care: one entry that makes no sense is left out
 * and costs the others nothing, and nobody can send so many or such large ones that a model request
 * breaks of it. A schema is passed on as it is; only what providers insist on is added.
 */
import { z } from "zod";

export interface ServerToolEntry {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ReadTools {
  readonly tools: readonly ServerToolEntry[];
  readonly left_out: number;
}

/** Of `tools/list`. */
export const toolPageSchema = z.looseObject({ tools: z.array(z.unknown()).nullable().catch(null), nextCursor: z.string().nullish() });

const entrySchema = z.looseObject({
  name: z.string().min(1).max(200),
  description: z.string().nullish().catch(null),
  inputSchema: z.record(z.string(), z.unknown()).nullish(),
});

const MAX_TOOLS = 128;
const MAX_DESCRIPTION_CHARACTERS = 8_000;
const MAX_SCHEMA_CHARACTERS = 64 * 1024;

/** Null where it describes no object. */
function parametersOf(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  const { $schema: _dialect, ...rest } = schema;
  if (rest["type"] !== undefined && rest["type"] !== "object") return null;
  // Strict providers refuse an object that does not say which properties it has.
  return { ...rest, type: "object", properties: rest["properties"] ?? {} };
}

function readTool(entry: unknown): ServerToolEntry | null {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return null;
  const { name, description, inputSchema } = parsed.data;
  const parameters = parametersOf(inputSchema ?? {});
  if (parameters === null || JSON.stringify(parameters).length > MAX_SCHEMA_CHARACTERS) return null;
  return { name, description: (description ?? "").trim().slice(0, MAX_DESCRIPTION_CHARACTERS), parameters };
}

/** The first of each name, in the server's order. */
export function readTools(entries: readonly unknown[]): ReadTools {
  const tools = new Map<string, ServerToolEntry>();
  for (const entry of entries) {
    const tool = readTool(entry);
    if (tool !== null && !tools.has(tool.name) && tools.size < MAX_TOOLS) tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], left_out: entries.length - tools.size };
}
