import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { eventSchemaText } from "./event-schema";

it("docs/events.schema.json is what the union of events says (npm run docs:schema writes it)", () => {
  expect(readFileSync(new URL("../../docs/events.schema.json", import.meta.url), "utf8")).toBe(eventSchemaText());
});
