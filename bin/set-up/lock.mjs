/**
 * One set-up at a time: two commands on a fresh clone must not install or build into each other. The
 * holder touches the lock every few seconds, so that one left by a killed process is recognised.
 */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { inRoot } from "./root.mjs";

const TOUCH_EVERY_MS = 3000;
const STALE_AFTER_MS = 20_000;
const WAIT_AT_MOST_MS = 30 * 60_000;

/** Runs `act` while no other set-up of this clone runs; waits for one that does. */
export async function withSetUpLock(signal, act, path = inRoot(".cache", "set-up.lock")) {
  mkdirSync(dirname(path), { recursive: true });
  await take(path, signal);
  if (signal.aborted) return;
  const timer = setInterval(() => utimesSync(path, new Date(), new Date()), TOUCH_EVERY_MS);
  try {
    await act();
  } finally {
    clearInterval(timer);
    rmSync(path, { force: true });
  }
}

async function take(path, signal) {
  const deadline = Date.now() + WAIT_AT_MOST_MS;
  let told = false;
  while (!signal.aborted) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (isStale(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (Date.now() > deadline) throw new Error(`Another set-up holds ${path}.`);
    if (!told) console.error("Waiting for another set-up of this folder …");
    told = true;
    await wait(250, undefined, { signal }).catch(() => undefined);
  }
}

function isStale(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (Date.now() - stat.mtimeMs > STALE_AFTER_MS) return true;
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
