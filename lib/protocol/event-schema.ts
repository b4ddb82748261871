/** The events as JSON Schema, for clients that are not ours. Generated, never written by hand. */
import { z } from "zod";
import { runEventSchema, sessionEventSchema } from "./events";

/** The text of `docs/events.schema.json`. */
export function eventSchemaText(): string {
  const schema = z.toJSONSchema(z.union([runEventSchema, sessionEventSchema]), { target: "draft-2020-12", unrepresentable: "any" });
  return `${JSON.stringify({ title: "Hermes WebUI journal event", ...schema }, null, 2)}\n`;
}
