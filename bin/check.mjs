/** `npm run check`: types, lint with its walls, planted violations, dead code, engines; one line each. */
import { runChecks } from "./check/checks.mjs";
import { listenForInterruption } from "./set-up/interruption.mjs";
import { setUpToTest } from "./set-up/set-up.mjs";

const interruption = listenForInterruption();
await setUpToTest(interruption.signal);
const results = await runChecks(interruption.signal);
for (const { name, ok, seconds, detail } of results) {
  console.log(`${ok ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (!ok) console.log(detail.trimEnd());
}
process.exitCode = interruption.exitCode() || (results.every(({ ok }) => ok) ? 0 : 1);
