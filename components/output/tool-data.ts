/**
 * What tools put into `data` for their card, read leniently: a shape that is not there (an older
 * journal, a foreign tool) is null, and the pane shows the plain result instead.
 */
import { z } from "zod";
import { todoItemSchema, type TodoItem } from "#protocol/events";

const diffSchema = z.looseObject({ diff: z.string() });
const linesSchema = z.looseObject({
  first_line: z.number().int(),
  lines: z.array(z.string()),
  total_lines: z.number().int().nullish(),
});
const placeSchema = z.looseObject({ path: z.string(), line: z.number().int(), text: z.string() });
const placesSchema = z.looseObject({ places: z.array(placeSchema), total_places: z.number().int().nullish() });
const childSchema = z.looseObject({ session_id: z.string() });

export type FileLines = z.infer<typeof linesSchema>;
export type Place = z.infer<typeof placeSchema>;
export type Places = z.infer<typeof placesSchema>;

export function diffOf(data: unknown): string | null {
  const parsed = diffSchema.safeParse(data);
  return parsed.success && parsed.data.diff !== "" ? parsed.data.diff : null;
}

export function fileLinesOf(data: unknown): FileLines | null {
  const parsed = linesSchema.safeParse(data);
  return parsed.success ? parsed.data : null;
}

export function placesOf(data: unknown): Places | null {
  const parsed = placesSchema.safeParse(data);
  return parsed.success ? parsed.data : null;
}

/** The session of a child run, or null. */
export function childSessionOf(data: unknown): string | null {
  const parsed = childSchema.safeParse(data);
  return parsed.success ? parsed.data.session_id : null;
}

export function todoItemsOf(callArguments: Readonly<Record<string, unknown>>): readonly TodoItem[] {
  const parsed = z.array(todoItemSchema).safeParse(callArguments["items"]);
  return parsed.success ? parsed.data : [];
}

/** A text that holds one JSON object or list, parsed; null for everything else. */
export function jsonOf(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || trimmed.length > 200_000) return null;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === "object" ? value : null;
  } catch {
    // Text that only looks like JSON is drawn as text.
    return null;
  }
}
