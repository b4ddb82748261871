/**
 * P1 What is stopped is gone, or is counted as a survivor. TERM to all that are found, KILL to what
 * is left after 3 s, each time to processes looked up right before, so that a reused pid is never
 * hit; what was found once stays known by its pid and start, whoever adopted it since. Over only
 * when two looks in a row found nothing, because a process may fork during one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildMark } from "./child-mark";
import { markInEnvironment, markInFile } from "./child-mark";
import { type Birth, inBatches, type ProcessRow, type ProcessTable } from "./process-table";
import type { StopReport } from "./tool-port";

/** A process that was spawned here: what came of it is known by its session and group. */
export interface ProcessRoot {
  readonly pid: number;
  readonly birth: Birth;
}

/** What belongs together: by mark, and what came of spawned processes. */
export interface ProcessSelection {
  readonly isMarked: (mark: ChildMark) => boolean;
  readonly roots: readonly ProcessRoot[];
  /** Marks are looked for on processes that began no earlier, as in `ProcessRow.started`; 0 = on all. */
  readonly since: number;
}

export interface ProcessFinder {
  /** All of them that run now. */
  find(): Promise<readonly ProcessRow[]>;
}

const TERM_PATIENCE_MS = 3000;
const KILL_PATIENCE_MS = 6000;
const LOOK_EVERY_MS = 60;

function ofRoot(row: ProcessRow, rows: readonly ProcessRow[], root: ProcessRoot): boolean {
  const holder = rows.find(({ pid }) => pid === root.pid);
  // Someone else has that pid now: then all of its group and session were gone before.
  if (holder !== undefined && holder.started > root.birth.latest) return false;
  return row.started >= root.birth.earliest && [row.pid, row.group, row.session].includes(root.pid);
}

function withDescendants(rows: readonly ProcessRow[], seeds: ReadonlySet<number>): readonly ProcessRow[] {
  const chosen = new Set(seeds);
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    for (const row of rows) if (chosen.has(row.parent)) chosen.add(row.pid);
  }
  return rows.filter(({ pid }) => chosen.has(pid));
}

/** Remembers what it found; one finder serves one selection. */
export function createProcessFinder(table: ProcessTable, selection: ProcessSelection): ProcessFinder {
  const known = new Map<number, number>();
  const { roots, isMarked, since } = selection;

  async function carriesMark(row: ProcessRow): Promise<boolean> {
    const { environment, files } = await table.traces(row.pid);
    const mark = markInEnvironment(environment);
    if (mark !== null && isMarked(mark)) return true;
    return files.some((file) => {
      const named = markInFile(file);
      return named !== null && isMarked(named);
    });
  }

  async function find(): Promise<readonly ProcessRow[]> {
    const all = await table.rows();
    const rows = all.filter(({ pid }) => pid !== process.pid && pid !== process.ppid && pid !== 1);
    const seeds = new Set(rows.filter((row) => known.get(row.pid) === row.started || roots.some((root) => ofRoot(row, all, root))).map(({ pid }) => pid));
    const others = rows.filter((row) => !seeds.has(row.pid) && row.started >= since);
    const marked = await inBatches(others, async (row) => ((await carriesMark(row)) ? row.pid : null));
    for (const pid of marked) if (pid !== null) seeds.add(pid);
    const found = withDescendants(rows, seeds);
    for (const row of found) known.set(row.pid, row.started);
    return found;
  }

  return { find };
}

function send(rows: readonly ProcessRow[], signals: readonly NodeJS.Signals[]): void {
  for (const { pid } of rows) {
    for (const signal of signals) {
      try {
        process.kill(pid, signal);
      } catch {
        break; // Gone meanwhile, or not ours to stop: the next look tells which.
      }
    }
  }
}

interface Patience {
  readonly signals: readonly NodeJS.Signals[];
  readonly ms: number;
  readonly repeat: boolean;
}

/** Sends the signals until two looks in a row find nothing or the patience ends; answers what is left. */
async function pursue(finder: ProcessFinder, first: readonly ProcessRow[], patience: Patience): Promise<readonly ProcessRow[]> {
  const until = performance.now() + patience.ms;
  const told = new Set<number>();
  let left = first;
  for (let quiet = left.length === 0 ? 1 : 0; quiet < 2; quiet = left.length === 0 ? quiet + 1 : 0) {
    send(left.filter(({ pid }) => patience.repeat || !told.has(pid)), patience.signals);
    for (const { pid } of left) told.add(pid);
    if (performance.now() > until) break;
    await sleep(LOOK_EVERY_MS);
    left = await finder.find();
  }
  return left;
}

/** Ends all that `finder` finds, in at most 10 s. `processes`: how many ran when it was called. */
export async function stopProcesses(finder: ProcessFinder): Promise<StopReport> {
  const found = await finder.find();
  // CONT: a stopped process would take notice of TERM only once it is continued.
  const stubborn = await pursue(finder, found, { signals: ["SIGTERM", "SIGCONT"], ms: TERM_PATIENCE_MS, repeat: false });
  const survivors = stubborn.length === 0 ? stubborn : await pursue(finder, stubborn, { signals: ["SIGKILL"], ms: KILL_PATIENCE_MS, repeat: true });
  return { processes: found.length, survivors: survivors.length };
}
