/** `npm run runner`: the runner alone, in this process, on a tree that is set up first. */
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { listenForInterruption } from "./set-up/interruption.mjs";
import { inRoot } from "./set-up/root.mjs";
import { setUpToStart, whyNodeIsTooOld } from "./set-up/set-up.mjs";

process.exitCode = await start();

async function start() {
  const tooOld = whyNodeIsTooOld();
  if (tooOld !== null) return refuse(tooOld);
  const interruption = listenForInterruption();
  try {
    await setUpToStart(interruption.signal);
  } catch (error) {
    return refuse(error.message);
  } finally {
    interruption.dispose();
  }
  if (interruption.signal.aborted) return interruption.exitCode();
  const program = inRoot("dist", "runner.mjs");
  if (!existsSync(program)) return refuse("There is no runner in this build.");
  await import(pathToFileURL(program).href);
  return process.exitCode;
}

function refuse(line) {
  process.stderr.write(`${line}\n`);
  return 1;
}
