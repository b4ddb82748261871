import { z } from "zod";
import { parseJson } from "./provider-error";

const objectSchema = z.record(z.string(), z.unknown());

/**
 * The arguments of a call as an object, or null when the text is no JSON object. Nothing and `null`
 * are the empty object (a tool without parameters); JSON inside a JSON string is unpacked; a leading
 * `{}` or `null` that some gateways send before the real arguments is skipped.
 */
export function parseArguments(raw: string): Readonly<Record<string, unknown>> | null {
  const text = raw.trim();
  if (text === "") return {};
  const value = parseJson(text);
  if (value === null) return {};
  if (typeof value === "string") return parseInner(value);
  const object = objectSchema.safeParse(value);
  if (object.success) return object.data;
  const rest = /^(?:\{\}|null)\s*(\{.*)$/s.exec(text)?.[1];
  return rest === undefined ? null : parseInner(rest);
}

function parseInner(text: string): Readonly<Record<string, unknown>> | null {
  const object = objectSchema.safeParse(parseJson(text.trim()));
  return object.success ? object.data : null;
}
