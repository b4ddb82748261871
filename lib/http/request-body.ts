/**
 * The border where bytes become a value. The limit holds while the body streams, whatever
 * Content-Length says or leaves out; a body of another type than the route takes is refused before a
 * byte of it is read, so that a form of a foreign page never gets as far as JSON.
 */
import { AppError } from "#protocol/errors";

export const JSON_LIMIT = 1024 * 1024;
export const UPLOAD_LIMIT = 25 * 1024 * 1024;

/** What the headers say. Without them a request has no body, whatever stream the framework made for it. */
function announcesBody(request: Request): boolean {
  if (request.headers.has("transfer-encoding")) return true;
  return (request.headers.get("content-length") ?? "0") !== "0";
}

/** Bytes of the body, at most `limit`; throws `too_large` as soon as more came. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get("content-length") ?? "0");
  if (announced > limit) throw tooLarge(limit);
  if (request.body === null) return new Uint8Array(0);
  const reader = request.body.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      reader.cancel().catch(() => undefined);
      throw tooLarge(limit);
    }
    pieces.push(value);
  }
  return joined(pieces, size);
}

/** The JSON value of the body; no body at all is an empty object, whose missing fields the schema names. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  if (announcesBody(request)) requireContentType(request, "application/json");
  const bytes = await readBody(request, limit);
  if (bytes.byteLength === 0) return {};
  requireContentType(request, "application/json");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not valid JSON.", {}, cause);
  }
}

export async function readForm(request: Request, limit: number): Promise<FormData> {
  requireContentType(request, "multipart/form-data");
  const bytes = await readBody(request, limit);
  const contentType = request.headers.get("content-type") ?? "";
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch (cause) {
    throw new AppError("invalid_request", "The body is not a valid form.", { issues: [] }, cause);
  }
}

function requireContentType(request: Request, wanted: string): void {
  const given = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (given !== wanted) throw new AppError("unsupported_media_type", `The body must be ${wanted}.`);
}

function tooLarge(limit: number): AppError {
  return new AppError("too_large", `The body is larger than ${Math.floor(limit / 1024 / 1024)} MiB.`);
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}
