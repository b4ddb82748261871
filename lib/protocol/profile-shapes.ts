/** What the page is told of a profile's own files: keys, texts, allowed commands, MCP servers. No value of a key is in any of it. */
import { z } from "zod";

export const keyEntrySchema = z.object({
  /** The variable. */
  name: z.string(),
  /** Whose it is; null for what is no provider's. */
  provider: z.string().nullable(),
  kind: z.enum(["key", "address", "model", "other"]),
  /** Where it is set; null where nowhere. The profile's own beats the environment's. */
  source: z.enum(["profile", "environment"]).nullable(),
  /** The last four characters of a key, the whole of an address or a model; null where even that says too much. */
  shown: z.string().nullable(),
  /** The environment sets it too, and would count without the profile's. */
  hides_environment: z.boolean(),
  editable: z.boolean(),
});
export type KeyEntry = z.infer<typeof keyEntrySchema>;
export const keyListSchema = z.object({ keys: z.array(keyEntrySchema) });

export const profileTextSchema = z.object({
  /** Below the profile's home, with forward slashes. */
  path: z.string(),
  kind: z.enum(["soul", "memory", "user", "skill"]),
  /** A skill's own name; else the file's. */
  name: z.string(),
  /** A skill's own words; null otherwise. */
  description: z.string().nullable(),
  /** Bytes; null where there is no file yet. */
  size: z.number().nullable(),
  /** Characters that the agent's notes take of what they may. */
  room: z.object({ used: z.number(), limit: z.number() }).nullable(),
});
export type ProfileText = z.infer<typeof profileTextSchema>;
export const textListSchema = z.object({ texts: z.array(profileTextSchema) });
export const openedTextSchema = z.object({
  path: z.string(),
  content: z.string(),
  /** Null where there is no file yet. */
  mtime: z.number().nullable(),
  /** Bytes that it may have. */
  max_bytes: z.number(),
});
export type OpenedText = z.infer<typeof openedTextSchema>;

/** What "Always approve" wrote, and what a person did. */
export const allowlistSchema = z.object({ patterns: z.array(z.string()) });

/** An MCP server as the owner of runs knows it. */
export const mcpStateSchema = z.object({
  server: z.string(),
  transport: z.enum(["stdio", "http"]),
  /** `idle`: nobody asked for it yet, or lately; the first run that uses it opens it. */
  status: z.enum(["idle", "starting", "ready", "failed"]),
  tools: z.array(z.string()),
  /** A sentence where something is wrong with it. */
  reason: z.string().nullable(),
});
export type McpState = z.infer<typeof mcpStateSchema>;

const mcpServerSchema = mcpStateSchema.extend({
  /** `unknown`: the owner of runs does not answer. */
  status: z.enum([...mcpStateSchema.shape.status.options, "unknown"]),
  /** The program or the host, without arguments, path or login. */
  place: z.string(),
});
export type McpServerEntry = z.infer<typeof mcpServerSchema>;
export const mcpListSchema = z.object({
  servers: z.array(mcpServerSchema),
  /** What of the file cannot be used and why, one sentence each. */
  problems: z.array(z.string()),
});
export type McpList = z.infer<typeof mcpListSchema>;
