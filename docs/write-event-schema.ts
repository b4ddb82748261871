/** Writes `docs/events.schema.json` from the union of events: `npm run docs:schema`. */
import { writeFileSync } from "node:fs";
import { eventSchemaText } from "#protocol/event-schema";

writeFileSync(new URL("events.schema.json", import.meta.url), eventSchemaText());
