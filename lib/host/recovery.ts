/**
 * Runs whose owner died (contract 5.2.2), or gave them up because the disk was full for long. Their child processes are ended first, so that nothing of
 * them works on unseen; then each run is queued again, waits again for its person, or ends as
 * interrupted. Nothing is repeated: a call that was running is closed as `interrupted`.
 */
import type { RunView } from "#protocol/run-view";
import { isActive } from "#protocol/status";
import { openPrompts } from "#fold/open-work";
import type { OwnerLease, TakenRun } from "#journal/lease";
import { sweepMarked } from "#agent/tools/process-tree";
import { closingEvents } from "./closing-events";
import type { FollowUp } from "./follow-up";
import type { RunHost } from "./run-host";
import type { RunRow } from "./session-rows";

export interface LostOwner {
  readonly kind: string;
  readonly pid: number;
  /** What a person is told of a run that ends by it. */
  readonly message: string;
}

const NOT_STORED = "Interrupted: for a while nothing could be stored. What you see was kept.";

type Fate = "resume" | "interrupt";

/** Takes over what dead owners left; returns how many runs were found. Safe to call at any time. */
export async function recoverRuns(host: RunHost, followUp: FollowUp, lease: OwnerLease, moment: "start" | "later"): Promise<number> {
  const found = await lease.takeOver();
  // A look at every process is dear: at the start, and when there is a reason.
  if (moment === "start" || found.length > 0) await sweepDead(host, found.map((run) => run.run_id));
  for (const lost of found) await recoverRun(host, followUp, lost.run_id, lostOwner(lost));
  await recoverUnstored(host, followUp);
  for (const sessionId of await host.rows.sessionsToContinue()) await followUp.goOn(host, sessionId);
  return found.length;
}

function lostOwner({ owner_kind: kind, owner_pid: pid }: TakenRun): LostOwner {
  return { kind, pid, message: kind === "runner" ? "Interrupted by a restart of the runner. What you see was kept." : "Interrupted by a restart. What you see was kept." };
}

/** Ends children of dead owners' runs, background ones of finished runs included: nobody is left to report to. */
async function sweepDead(host: RunHost, taken: readonly string[]): Promise<void> {
  const dead = new Set([...(await host.rows.runsOfLostOwners()), ...taken]);
  if (dead.size > 0) await sweepMarked((mark) => dead.has(mark.run_id));
}

/** What this owner itself gave up, once the file takes events again; tried anew with the next look until then. */
async function recoverUnstored(host: RunHost, followUp: FollowUp): Promise<void> {
  for (const runId of [...host.unstored]) {
    if (host.liveRun(runId) !== undefined) continue;
    host.unstored.delete(runId);
    await recoverRun(host, followUp, runId, { kind: host.dependencies.placement, pid: process.pid, message: NOT_STORED }).catch((cause: unknown) => {
      host.unstored.add(runId);
      throw cause;
    });
  }
}

async function recoverRun(host: RunHost, followUp: FollowUp, runId: string, owner: LostOwner): Promise<void> {
  const view = await host.dependencies.journal.readView(runId);
  const row = await host.rows.run(runId);
  if (view === null || row === null || !isActive(view.status)) return;
  if (fateOf(view, host.dependencies.limits.recovery) === "resume") {
    host.resume(view, row.request);
    return;
  }
  await followUp.endRun(host, view.session_id, () => "interrupted", () => interrupt(host, view, row, owner));
  await followUp.queue(host).settleSteers(view);
  await followUp.settle(host, view.session_id, "interrupted");
}

/** Queued runs have done nothing yet; runs that only wait for a person have nothing half done. */
function fateOf(view: RunView, recovery: "prompts" | "off"): Fate {
  if (recovery === "off") return "interrupt";
  if (view.status === "queued") return "resume";
  const waits = view.status === "awaiting_approval" || view.status === "awaiting_clarify";
  const works = view.parts.some((part) => part.type === "tool" && part.status === "running");
  return waits && !works && openPrompts(view).length > 0 ? "resume" : "interrupt";
}

async function interrupt(host: RunHost, view: RunView, row: RunRow, owner: LostOwner): Promise<void> {
  const writer = host.createWriter(view.run_id, row.request, view);
  const diagnostics = { process: owner.kind, pid: owner.pid, last_event_type: lastEventOf(view) };
  writer.emit(
    ...closingEvents(view, { kind: "interrupted", message: owner.message, diagnostics }, { reason: "interrupted", stopped: { processes: 0, survivors: 0 }, now: host.dependencies.now() }),
  );
  await writer.committed();
  writer.stop();
}

/** What was last known, in words that a person can use. */
function lastEventOf(view: RunView): string {
  const part = view.parts.at(-1);
  if (part === undefined) return "The turn had just begun.";
  return part.type === "tool" ? `${part.name} was ${part.status}.` : `The last thing was ${part.type}.`;
}
