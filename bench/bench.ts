/**
 * `npm run bench [journal] [replay] [delay] [processes]`: each speed that was promised, measured beside
 * a reference in the same run, as one table. Without words all of it, about six minutes. Builds what is
 * stale first. Ends with 1 when a target was missed.
 */
import { buildOnce } from "../trials/build-once";
import { formatRows, ratioRow, type Row } from "./bench-row";
import { benchDelay } from "./delay-bench";
import { benchJournal } from "./journal-bench";
import { benchProcesses } from "./process-bench";
import { ReferenceApp } from "./reference-app";
import { benchReplay } from "./replay-bench";

type Part = (reference: () => Promise<ReferenceApp>) => Promise<readonly Row[]>;
const PARTS: Readonly<Record<string, Part>> = {
  journal: async () => (await benchJournal()).map(ratioRow),
  replay: async (reference) => benchReplay(await reference()),
  delay: async (reference) => benchDelay(await reference()),
  processes: async (reference) => benchProcesses(await reference()),
};

process.exitCode = await bench(process.argv.slice(2));

async function bench(words: readonly string[]): Promise<number> {
  const unknown = words.find((word) => PARTS[word] === undefined);
  if (unknown !== undefined) {
    console.error(`${unknown} is no part of the bench; there are ${Object.keys(PARTS).join(", ")}.`);
    return 1;
  }
  const made: Promise<ReferenceApp>[] = [];
  const reference = (): Promise<ReferenceApp> => {
    const app = made[0] ?? prepare();
    made[0] = app;
    return app;
  };
  const rows: Row[] = [];
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (words.length > 0 && !words.includes(name)) continue;
      console.error(`${name} …`);
      rows.push(...(await part(reference)));
    }
  } finally {
    for (const app of made) await (await app).clear();
  }
  console.log(formatRows(rows));
  return rows.every((row) => row.met !== false) ? 0 : 1;
}

async function prepare(): Promise<ReferenceApp> {
  await buildOnce();
  const app = await ReferenceApp.build();
  await app.start();
  return app;
}
