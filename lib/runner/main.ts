/** Entry of the runner process (`dist/runner.mjs`): ends when its work has ended, by an exit code alone, in bounded time. */
import packageFile from "../../package.json";
import { runRunner } from "./run-runner";

/** All is stored and closed by then; a socket that lingers holds nobody up. */
const LINGER_MS = 3_000;

// A terminal or a reader that is gone must not end what runs.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

process.exitCode = await runRunner({
  version: packageFile.version,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
});

setTimeout(() => {
  process.stderr.write(`Still open after the end: ${process.getActiveResourcesInfo().join(", ")}\n`);
  // oxlint-disable-next-line no-restricted-properties
  process.exit();
}, LINGER_MS).unref();
