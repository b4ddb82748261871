/** The machine misbehaves while a run goes: another program holds the database, the disk is full, the clock jumps. */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "#testing/until";
import { systemErrorCode } from "#config/system-error";
import type { Stand } from "../stand";
import type { Trial, TrialKind } from "../trial";
import { beginAndReach, finish, replace } from "./killing";

const LOCK_MS = 3_000;
const HEALTH_WITHIN_MS = 1_500;
const SMALL_DISK = "24m";
const CLOCK_FILE = "clock-offset";
const HOLD_LOCK = join(import.meta.dirname, "../hold-lock.mjs");
const SHIFT_CLOCK = join(import.meta.dirname, "../shift-clock.cjs");

export const PRESSURE_KINDS: readonly TrialKind[] = [
  { name: "database locked", holdsPrompts: (random) => random.chance(0.3), play: databaseLocked },
  { name: "disk full", whySkipped: whyNoSmallDisk, prepare: mountSmallDisk, play: diskFull },
  {
    name: "clock step",
    stand: () => ({ env: { NODE_OPTIONS: `--require "${SHIFT_CLOCK}"`, HERMES_APPROVAL_TIMEOUT_S: "0", HERMES_CLARIFY_TIMEOUT_S: "0" } }),
    holdsPrompts: (random) => random.chance(0.5),
    play: clockStep,
  },
];

/** Nothing is lost and nobody hangs: health answers in time, the run goes on when the lock is gone. */
async function databaseLocked(trial: Trial): Promise<void> {
  const turn = await beginAndReach(trial);
  const holder = spawn(process.execPath, [HOLD_LOCK, trial.stand.databaseFile, String(LOCK_MS)], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  holder.stdout.on("data", (piece: Buffer) => (said += piece.toString("utf8")));
  const ended = new Promise((resolve) => holder.once("close", resolve));
  await until(() => said.includes("held") || holder.exitCode !== null, 20_000);
  trial.tell(`locked the database for ${LOCK_MS} ms`);
  const begun = performance.now();
  const health = await trial.product.tryOnce("GET", "/api/health");
  trial.check(health.status === 200 && performance.now() - begun < HEALTH_WITHIN_MS, `3.4: health took ${Math.round(performance.now() - begun)} ms (${health.status}) while the database was locked`);
  if (trial.random.chance(0.5)) await trial.turn(trial.storyteller.tell({ acts: 1 }));
  if (trial.random.chance(0.3)) trial.person.release();
  await ended;
  trial.check(holder.exitCode === 0, "the lock could not be held");
  await finish(trial, turn);
}

function whyNoSmallDisk(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "a small disk can be mounted by root on Linux only";
  const probe = join("/tmp", `trial-disk-${process.pid}`);
  try {
    execFileSync("mkdir", ["-p", probe]);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", probe], { stdio: "ignore" });
    execFileSync("umount", [probe]);
    return null;
  } catch {
    return "this machine lets nobody mount a small disk";
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

function mountSmallDisk(stand: Stand): Promise<void> {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SMALL_DISK},mode=0700`, "tmpfs", stand.stateDirectory]);
  stand.afterAll(() => execFileSync("umount", ["-l", stand.stateDirectory]));
  return Promise.resolve();
}

/** The run stands still while nothing can be written, and goes on when there is room again. */
async function diskFull(trial: Trial): Promise<void> {
  const turn = await beginAndReach(trial);
  const filler = join(trial.stand.stateDirectory, "filler");
  fillDisk(filler);
  trial.tell(`the disk is full: ${statfsSync(trial.stand.stateDirectory).bavail} blocks left`);
  const begun = performance.now();
  const health = await trial.product.tryOnce("GET", "/api/health");
  trial.check(health.status === 200 && performance.now() - begun < HEALTH_WITHIN_MS, `3.4: health took ${Math.round(performance.now() - begun)} ms (${health.status}) on a full disk`);
  const other = trial.random.chance(0.5) ? trial.turn(trial.storyteller.tell({ acts: 1 })) : null;
  await pause(trial.random.between(1_000, 8_000));
  rmSync(filler);
  trial.tell("there is room again");
  await other;
  await finish(trial, turn);
}

function fillDisk(path: string): void {
  const file = openSync(path, "w");
  try {
    for (let size = 1 << 20; size >= 1; ) {
      try {
        if (writeSync(file, Buffer.alloc(size)) < size) size >>= 1;
      } catch (error) {
        if (systemErrorCode(error) !== "ENOSPC") throw error;
        size >>= 1;
      }
    }
  } finally {
    closeSync(file);
  }
}

/** A jump of the wall clock, forth or back, interrupts nobody and expires no lease. */
async function clockStep(trial: Trial): Promise<void> {
  const turn = await beginAndReach(trial);
  for (let steps = trial.random.between(1, 2); steps > 0; steps -= 1) {
    const seconds = trial.random.pick([-86_400, -3_600, -30, 30, 3_600, 86_400]);
    writeFileSync(join(trial.stand.folder, CLOCK_FILE), String(seconds));
    trial.tell(`the clock is ${seconds} s off`);
    await pause(trial.random.between(200, 2_000));
  }
  if (trial.random.chance(0.4)) await replace(trial, ["web"], "SIGKILL");
  await finish(trial, turn);
}
