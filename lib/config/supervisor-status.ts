/**
 * `$STATE_DIR/supervisor-status.json`: what the supervisor knows about its children, for whoever has
 * to tell a person (health, `--status`): a process that died cannot say itself how. Believed only as
 * long as the supervisor that wrote it runs.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { processCrashSchema, type ProcessCrash } from "#protocol/runner-health";
import { readPidFile } from "./pid-file";

export const CHILD_NAMES = ["web", "runner"] as const;
export type ChildName = (typeof CHILD_NAMES)[number];
export const CHILD_STATES = ["starting", "ready", "waiting", "stopping", "stopped"] as const;
export type ChildState = (typeof CHILD_STATES)[number];

/** Longer than any backoff and start together: a process that died is told of until it is back. */
const RECENT_S = 600;

const ChildReportSchema = z.object({
  state: z.enum(CHILD_STATES),
  pid: z.int().positive().nullable(),
  /** Unix seconds of the last change of state. */
  since: z.number(),
  /** True when the process was there already and was taken over. */
  adopted: z.boolean(),
  restarts: z.int().nonnegative(),
  last_crash: processCrashSchema.nullable(),
});
export type ChildReport = z.infer<typeof ChildReportSchema>;

const SupervisorStatusSchema = z.object({
  supervisor_pid: z.int().positive(),
  web: ChildReportSchema.nullable(),
  /** Null when this supervisor runs none. */
  runner: ChildReportSchema.nullable(),
});
export type SupervisorStatus = z.infer<typeof SupervisorStatusSchema>;

/** The status, or null when no supervisor runs on this state directory (or it has not written yet). */
export function readSupervisorStatus(stateDirectory: string): SupervisorStatus | null {
  const supervisor = readPidFile(stateDirectory, "supervisor");
  const status = readLastSupervisorStatus(stateDirectory);
  return status !== null && status.supervisor_pid === supervisor?.pid ? status : null;
}

/** What the last supervisor wrote, whether it runs or was killed: its children may have outlived it. */
export function readLastSupervisorStatus(stateDirectory: string): SupervisorStatus | null {
  try {
    return SupervisorStatusSchema.safeParse(JSON.parse(readFileSync(statusPath(stateDirectory), "utf8"))).data ?? null;
  } catch {
    // Missing or garbage: nothing is known.
    return null;
  }
}

/** The crash that is worth telling: of a process that waits to be started again, or that died lately. `now` in Unix seconds. */
export function recentCrash(report: ChildReport | null | undefined, now: number): ProcessCrash | null {
  const crash = report?.last_crash ?? null;
  return crash !== null && (report?.state === "waiting" || now - crash.at < RECENT_S) ? crash : null;
}

export function writeSupervisorStatus(stateDirectory: string, status: SupervisorStatus): void {
  const path = statusPath(stateDirectory);
  const finished = `${path}.${process.pid}`;
  writeFileSync(finished, `${JSON.stringify(status)}\n`, { mode: 0o600 });
  renameSync(finished, path);
}

export function removeSupervisorStatus(stateDirectory: string): void {
  rmSync(statusPath(stateDirectory), { force: true });
}

function statusPath(stateDirectory: string): string {
  return join(stateDirectory, "supervisor-status.json");
}
