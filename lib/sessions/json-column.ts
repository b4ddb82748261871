import { z } from "zod";

/** A JSON text column as the value that belongs there. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z.string().transform((text, context): z.output<Schema> => {
    const parsed = schema.safeParse(readJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: "not the JSON that belongs here" });
    return z.NEVER;
  });
}

/** SQLite has no booleans. */
export const flagColumn = z.number().transform((value) => value !== 0);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON at all: no schema takes this.
    return Symbol("not JSON");
  }
}
