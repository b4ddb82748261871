/** A body that may carry a `client_message_id`, with the key of its request in that place: the header beats the field. */
import type { z } from "zod";
import { idempotencyKey } from "#http/idempotency-key";
import { parseInput } from "#http/parse-input";
import type { JsonRequest } from "./read-json-body";

const FIELD = "client_message_id";

export function readKeyed<Schema extends z.ZodType<{ client_message_id?: string | null | undefined }>>(context: JsonRequest, schema: Schema, value: unknown): z.infer<Schema> {
  const body = parseInput(schema, value);
  return { ...body, [FIELD]: idempotencyKey(context.req.raw.headers, value, FIELD) };
}
