/** Writes the table of cases in `docs/acceptance.md` from the titles of the tests: `npm run docs:acceptance`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readTestSources, withCaseTable } from "#testing/acceptance-map";

const document = new URL("acceptance.md", import.meta.url);
writeFileSync(document, withCaseTable(readFileSync(document, "utf8"), readTestSources(fileURLToPath(new URL("../", import.meta.url)))));
