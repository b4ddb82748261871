/** Under which key a request asks to be carried out once: the header, which beats the body's field. */
import { invalidRequest } from "./parse-input";

const KEY = /^[\x21-\x7e][\x20-\x7e]{0,199}$/;

/** `field` undefined: this body has none. Null: the request may be carried out as often as it comes. */
export function idempotencyKey(headers: Headers, body: unknown, field: string | undefined): string | null {
  const header = headers.get("idempotency-key");
  if (header !== null) {
    if (!KEY.test(header)) throw invalidRequest([{ path: "Idempotency-Key", message: "1 to 200 printable characters" }]);
    return header;
  }
  if (field === undefined || typeof body !== "object" || body === null) return null;
  const value: unknown = Object.entries(body).find(([name]) => name === field)?.[1];
  return typeof value === "string" && value !== "" ? value : null;
}
