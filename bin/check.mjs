/** `npm run check`: types, lint with its walls, planted violations, dead code, engines; one line each. */
import { runChecks } from "./check/checks.mjs";
import { listenForInterruption } from "./set-up/interruption.mjs";
import { setUpToTest } from "./set-up/set-up.mjs";

const interruption = listenForInterruption();
process.exitCode = await check();

async function check() {
  try {
    await setUpToTest(interruption.signal);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
  const results = await runChecks(interruption.signal);
  for (const { name, ok, seconds, detail } of results) {
    console.log(`${ok ? "✓" : "✗"} ${name} (${seconds} s)`);
    if (!ok) console.log(detail.trimEnd());
  }
  return interruption.exitCode() || (results.every(({ ok }) => ok) ? 0 : 1);
}
