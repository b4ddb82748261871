/** Says in one line what is wrong with this process's settings, before anything is built for them. Run by the set-up of `npm start`. */
import { register } from "tsx/esm/api";

register();
const { loadSettings } = await import("../lib/config/settings.ts");
const read = loadSettings();
if (!read.ok) {
  process.stdout.write(`${read.message}\n`);
  process.exitCode = 1;
}
