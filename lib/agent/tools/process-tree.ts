/**
 * One command with all that comes of it: in a session and process group of its own, without input,
 * marked so that each descendant is found again. `stop` ends the tree (see stop-processes).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Readable } from "node:stream";
import { spawnEnvironment } from "#workspace/spawn-environment";
import type { ChildMark } from "./child-mark";
import { openOutputPipes, type OutputPipes } from "./output-pipes";
import { createProcessTable, type ProcessTable } from "./process-table";
import { createProcessFinder, type ProcessFinder, type ProcessRoot, stopProcesses } from "./stop-processes";
import type { StopReport } from "./tool-port";

export interface CommandRequest {
  /** For `bash -c`, or `sh -c` where there is no bash. */
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment, mark included. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mark: ChildMark;
}

export type CommandExit = { readonly kind: "code"; readonly code: number } | { readonly kind: "signal"; readonly signal: NodeJS.Signals };

export interface ProcessTree {
  readonly pid: number;
  readonly root: ProcessRoot;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** When the command itself ended; others of its tree may still run. Never rejects. */
  readonly exited: Promise<CommandExit>;
  /** In at most 10 s. */
  stop(): Promise<StopReport>;
}

export type StartedTree = { readonly kind: "started"; readonly tree: ProcessTree } | { readonly kind: "failed"; readonly message: string };

const SHELLS = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"] as const;
const SAMPLE_EVERY_MS = 2000;

async function findShell(): Promise<string> {
  for (const shell of SHELLS) {
    const usable = await access(shell, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return shell;
  }
  return "sh";
}

function reasonOf(error: unknown): string {
  return `The command could not be started: ${error instanceof Error ? error.message : String(error)}`;
}

function exitOf(child: ChildProcess): Promise<CommandExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(signal === null ? { kind: "code", code: code ?? 0 } : { kind: "signal", signal }));
  });
}

/** Where traces can't be seen, whoever leaves its parent is known only if it was seen before. */
function sampleUntil(finder: ProcessFinder, exited: Promise<unknown>): void {
  const timer = setInterval(() => void finder.find(), SAMPLE_EVERY_MS);
  timer.unref();
  void exited.then(() => clearInterval(timer));
}

function spawnChild(shell: string, request: CommandRequest, pipes: OutputPipes): ChildProcess | { readonly message: string } {
  try {
    return spawn(shell, ["-c", request.command], { cwd: request.cwd, env: spawnEnvironment(request.environment), stdio: [...pipes.stdio], detached: true });
  } catch (error) {
    return { message: reasonOf(error) };
  }
}

export async function startTree(table: ProcessTable, request: CommandRequest): Promise<StartedTree> {
  const shell = await findShell();
  const pipes = await openOutputPipes(request.mark);
  const child = spawnChild(shell, request, pipes);
  if ("message" in child) {
    pipes.attach(null);
    return { kind: "failed", message: child.message };
  }
  const { pid } = child;
  const birth = pid === undefined ? null : table.birth(pid);
  const ends = pipes.attach(pid === undefined ? null : child);
  if (pid === undefined || birth === null || ends === null) {
    const error = await new Promise((resolve) => child.once("error", resolve));
    return { kind: "failed", message: reasonOf(error) };
  }
  const exited = exitOf(child);
  const finder = createProcessFinder(table, { isMarked: ({ tree }) => tree === request.mark.tree, roots: [{ pid, birth }], since: birth.earliest });
  if (!table.sees_traces) sampleUntil(finder, exited);
  return { kind: "started", tree: { pid, root: { pid, birth }, ...ends, exited, stop: () => stopProcesses(finder) } };
}

/**
 * Ends all processes whose mark fits: at boot those of runs whose owner died, after a run what its
 * foreground commands left behind (`!mark.background`), with a session all of it. Finds nothing
 * where traces can't be seen (see `ProcessTable`).
 */
export function sweepMarked(isMarked: (mark: ChildMark) => boolean, table: ProcessTable = createProcessTable(process.platform)): Promise<StopReport> {
  return stopProcesses(createProcessFinder(table, { isMarked, roots: [], since: 0 }));
}
