/**
 * The bytes of a file as an answer. They are somebody's content, not ours: never sniffed, run in a
 * sandbox without scripts if a browser shows them, and a download unless their type can do nothing.
 */
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { isInert } from "#workspace/media-type";
import { parseRange } from "./byte-range";

export interface FileBytes {
  /** Closed when the answer is through, or given up. */
  readonly handle: FileHandle;
  readonly name: string;
  readonly mime: string;
  readonly size: number;
}

const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; frame-ancestors 'none'; sandbox";

export async function fileAnswer(request: Request, file: FileBytes): Promise<Response> {
  const range = parseRange(request.headers.get("range"), file.size);
  const headers = headersOf(file);
  if (range.kind === "unsatisfiable") {
    await file.handle.close();
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${file.size}` } });
  }
  const { start, end } = range.kind === "part" ? range : { start: 0, end: file.size - 1 };
  const length = end - start + 1;
  const partial: Readonly<Record<string, string>> = range.kind === "part" ? { "content-range": `bytes ${start}-${end}/${file.size}` } : {};
  const init = { status: range.kind === "part" ? 206 : 200, headers: { ...headers, ...partial, "content-length": String(length) } };
  if (request.method === "HEAD" || length === 0) {
    await file.handle.close();
    return new Response(null, init);
  }
  return new Response(bytesOf(file.handle, start, end), init);
}

/** A name as RFC 6266 wants it: plain ASCII for old readers, UTF-8 for the others. */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function headersOf({ mime, name }: FileBytes): Readonly<Record<string, string>> {
  const inert = isInert(mime);
  return {
    "content-type": inert ? (mime.startsWith("text/") ? `${mime}; charset=utf-8` : mime) : "application/octet-stream",
    "content-disposition": contentDisposition(inert ? "inline" : "attachment", name),
    "content-security-policy": SANDBOX,
    "accept-ranges": "bytes",
  };
}

function bytesOf(handle: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
  const stream = Readable.toWeb(handle.createReadStream({ start, end }));
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next: { readonly done: boolean; readonly value?: unknown } = await reader.read();
      if (next.done || !(next.value instanceof Uint8Array)) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason: unknown) => reader.cancel(reason),
  });
}
