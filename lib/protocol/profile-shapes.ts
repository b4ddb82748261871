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
