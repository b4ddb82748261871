/**
 * What bytes are, by the bytes first and the name second. Only what no browser ever runs is inert
 * and may be shown in place; everything else is a download (contract 3.3), SVG and HTML above all.
 */
import { fileTypeFromBuffer } from "file-type";
import { decodeText } from "./read";

/** Bytes from the start of a file that are enough to tell. */
export const MEDIA_PROBE_BYTES = 4100;

const TEXT_BY_EXTENSION: Readonly<Record<string, string>> = {
  ".md": "text/markdown",
  ".csv": "text/csv",
  ".json": "application/json",
  ".html": "text/html",
  ".htm": "text/html",
  ".svg": "image/svg+xml",
  ".xml": "application/xml",
};

const IMAGES_FOR_MODELS: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const INERT: ReadonlySet<string> = new Set([...IMAGES_FOR_MODELS, "image/avif", "image/bmp", "text/plain"]);

/** `head`: the first bytes of the file, at most `MEDIA_PROBE_BYTES`; `whole` when they are all of it. */
export async function detectMediaType(name: string, head: Uint8Array, whole: boolean): Promise<string> {
  const text = decodeText(head, !whole);
  if (text === null) return (await fileTypeFromBuffer(head))?.mime ?? "application/octet-stream";
  const extension = /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? "";
  return TEXT_BY_EXTENSION[extension] ?? "text/plain";
}

/** An image that models and every browser can show. */
export function isImage(mime: string): boolean {
  return IMAGES_FOR_MODELS.has(mime);
}

/** True when the type may be shown in place rather than downloaded. */
export function isInert(mime: string): boolean {
  return INERT.has(mime) || mime.startsWith("audio/") || mime.startsWith("video/");
}
