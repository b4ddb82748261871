/**
 * What tools put into `data` for their card, read leniently: a shape that is not there (an older
 * journal, a foreign tool) is null, and the pane shows the plain result instead.
 */
import { z } from "zod";
import { todoItemSchema, type TodoItem } from "#protocol/event-values";

const diffSchema = z.looseObject({ diff: z.string() });
const rangeSchema = z.looseObject({ first_line: z.number().int(), shown_lines: z.number().int(), total_lines: z.number().int() });
const placeSchema = z.looseObject({ path: z.string(), type: z.string(), line: z.number().int().nullable(), text: z.string() });
const placesSchema = z.looseObject({ places: z.array(placeSchema), truncated: z.boolean() });
const pageSchema = z.looseObject({ bytes: z.number() });
const childSchema = z.looseObject({ session_id: z.string() });

export type FileRange = z.infer<typeof rangeSchema>;
export type Place = z.infer<typeof placeSchema>;
export type Places = z.infer<typeof placesSchema>;

export function diffOf(data: unknown): string | null {
  const parsed = diffSchema.safeParse(data);
  return parsed.success && parsed.data.diff !== "" ? parsed.data.diff : null;
}

export function fileRangeOf(data: unknown): FileRange | null {
  const parsed = rangeSchema.safeParse(data);
  return parsed.success ? parsed.data : null;
}

const NUMBERED = /^\s*\d+\t/;

/** The lines of a file as the model was told them, their numbers taken off; null when the result is no such listing. */
export function fileLinesOf(data: unknown, result: string | null): readonly string[] | null {
  const range = fileRangeOf(data);
  if (range === null || result === null) return null;
  const lines = result.split("\n").slice(0, range.shown_lines);
  return lines.every((line) => NUMBERED.test(line)) ? lines.map((line) => line.replace(NUMBERED, "")) : null;
}

export function placesOf(data: unknown): Places | null {
  const parsed = placesSchema.safeParse(data);
  return parsed.success ? parsed.data : null;
}

/** How much of a page came, or null. */
export function bytesOf(data: unknown): number | null {
  const parsed = pageSchema.safeParse(data);
  return parsed.success ? parsed.data.bytes : null;
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
