/** Says in one line what is wrong with this process's settings, before anything is built for them. Run by `bin/start.mjs`. */
import { loadSettings } from "./settings";

const read = loadSettings();
if (!read.ok) {
  process.stdout.write(`${read.message}\n`);
  process.exitCode = 1;
}
