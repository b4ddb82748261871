/** Entry of the runner process (`dist/runner.mjs`): ends when its work has ended, by an exit code alone. */
import packageFile from "../../package.json";
import { runRunner } from "./run-runner";

// A terminal or a reader that is gone must not end what runs.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

process.exitCode = await runRunner({
  version: packageFile.version,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
});
