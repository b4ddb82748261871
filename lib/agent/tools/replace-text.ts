/**
 * F2 An edit touches only the bytes it names. Text is looked for as bytes, so what is no UTF-8
 * elsewhere in the file stays as it is; where it is not found as written, it is looked for with the
 * line ends of the file, and what takes its place gets the line ends of the place.
 */
import { isUtf8 } from "node:buffer";

export type ReplaceResult =
  | { readonly kind: "replaced"; readonly bytes: Buffer; readonly count: number }
  | { readonly kind: "not_found" }
  /** Lines, from 1, on which the text begins. */
  | { readonly kind: "ambiguous"; readonly lines: readonly number[] }
  | { readonly kind: "refused"; readonly reason: string };

export interface ReplaceRequest {
  readonly old_text: string;
  readonly new_text: string;
  readonly all: boolean;
}

function placesOf(bytes: Buffer, wanted: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

/** The text as written, then with the other line ends. */
function variantsOf(text: string): readonly string[] {
  if (!text.includes("\n")) return [text];
  const unix = text.replaceAll("\r\n", "\n");
  return [...new Set([text, unix.replaceAll("\n", "\r\n"), unix])];
}

function countOf(bytes: Buffer, wanted: string): number {
  return placesOf(bytes, Buffer.from(wanted)).length;
}

/** New lines get the line ends of the replaced text, else those that the file mostly has. */
function withLineEnds(request: ReplaceRequest, replaced: string, bytes: Buffer): string {
  const windows = countOf(bytes, "\r\n");
  const usesWindows = replaced.includes("\n") ? replaced.includes("\r\n") : windows > 0 && windows * 2 > countOf(bytes, "\n");
  if (usesWindows) return request.new_text.replace(/\r?\n/g, "\r\n");
  // Asked for with carriage returns, found without: the file has none.
  return replaced === request.old_text ? request.new_text : request.new_text.replaceAll("\r\n", "\n");
}

function lineAt(bytes: Buffer, place: number): number {
  return placesOf(bytes.subarray(0, place), Buffer.from("\n")).length + 1;
}

/** In an unknown encoding an ASCII byte after a high one may be the second half of a character. */
function mayBeHalf(bytes: Buffer, places: readonly number[]): boolean {
  return places.some((place) => place > 0 && (bytes[place - 1] ?? 0) >= 0x80);
}

function splice(bytes: Buffer, places: readonly number[], length: number, inserted: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(bytes.subarray(from, place), inserted);
    from = place + length;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

export function replaceText(bytes: Buffer, request: ReplaceRequest): ReplaceResult {
  for (const variant of variantsOf(request.old_text)) {
    const wanted = Buffer.from(variant);
    const places = placesOf(bytes, wanted);
    if (places.length === 0) continue;
    if (places.length > 1 && !request.all) return { kind: "ambiguous", lines: places.slice(0, 10).map((place) => lineAt(bytes, place)) };
    const inserted = Buffer.from(withLineEnds(request, variant, bytes));
    if (!isUtf8(bytes)) {
      if (mayBeHalf(bytes, places)) return { kind: "refused", reason: "The file is no UTF-8, and the text may begin inside one of its characters." };
      if (inserted.some((byte) => byte >= 0x80)) return { kind: "refused", reason: "The file is no UTF-8; only ASCII can be put into it." };
    }
    return { kind: "replaced", bytes: splice(bytes, places, wanted.length, inserted), count: places.length };
  }
  return { kind: "not_found" };
}
