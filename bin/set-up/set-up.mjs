/**
 * From a clone to something that can run: dependencies and build, each only if it is missing or stale.
 * What it tells goes to stderr. A tree that is fresh is not touched at all; it may be read-only.
 */
import { buildIsFresh, currentStamp } from "./build-stamp.mjs";
import { dependenciesAreFresh, installDependencies } from "./dependencies.mjs";
import { withSetUpLock } from "./lock.mjs";
import { inRoot, ROOT } from "./root.mjs";
import { runProgram } from "./run-program.mjs";

const BUILD_WITHIN_MS = 20 * 60_000;
const CHECK_WITHIN_MS = 30_000;
const OLDEST_NODE = [20, 19];

/** Null, or one line that says which Node.js is needed. */
export function whyNodeIsTooOld(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  const isEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return isEnough ? null : `Node.js ${OLDEST_NODE.join(".")} or newer is needed; this is ${version}.`;
}

/**
 * Makes the tree ready to start: a fresh build needs nothing but the packages it runs on.
 * @param {string} stamp of the present sources
 */
export async function setUpToStart(signal, stamp = currentStamp()) {
  if (buildIsFresh(stamp) && dependenciesAreFresh({ withTools: false })) return;
  await withSetUpLock(signal, async () => {
    const isBuilt = buildIsFresh(stamp);
    if (!dependenciesAreFresh({ withTools: !isBuilt })) await installDependencies(signal);
    if (!isBuilt && !signal.aborted) await build(signal);
  });
}

/** Makes the tree ready to test; the build is one of the tests. */
export async function setUpToTest(signal) {
  if (dependenciesAreFresh({ withTools: true })) return;
  await withSetUpLock(signal, async () => {
    if (!dependenciesAreFresh({ withTools: true })) await installDependencies(signal);
  });
}

/** A wrong setting is said at once, not after a build. */
async function checkSettings(signal) {
  const words = [process.execPath, inRoot("bin", "check-settings.mjs")];
  const { ok, output } = await runProgram(words, { directory: ROOT, signal, timeoutMs: CHECK_WITHIN_MS, show: false });
  if (!ok && !signal.aborted) throw new Error(output.trim() || "The settings could not be checked.");
}

async function build(signal) {
  await checkSettings(signal);
  if (signal.aborted) return;
  console.error("Building …");
  const { ok, code } = await runProgram([process.execPath, inRoot("bin", "build.mjs")], {
    directory: ROOT,
    signal,
    timeoutMs: BUILD_WITHIN_MS,
    show: true,
  });
  if (!ok && !signal.aborted) throw new Error(`The build failed (code ${code}).`);
  if (ok && !buildIsFresh(currentStamp())) console.error("The sources changed during the build; the next start builds again.");
}
