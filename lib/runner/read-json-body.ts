import { AppError } from "#protocol/errors";
import { JSON_LIMIT, readBody } from "#http/request-body";

/**
 * The JSON value of a body of at most 1 MiB; no body is an empty object. The content type is not
 * looked at: who carries the key is no foreign page.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBody(request, JSON_LIMIT);
  if (bytes.byteLength === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not valid JSON.", {}, cause);
  }
}
