/**
 * Git as a reader, in a folder that others may have prepared: no hooks, no pager, no external diff,
 * no file system monitor, no locks, nothing of our own environment, bounded in time and output.
 */
import { execFile } from "node:child_process";
import { spawnEnvironment } from "./spawn-environment";

export interface GitAnswer {
  /** Exit code 0. */
  readonly ok: boolean;
  readonly text: string;
  /** Output was cut at the limit. */
  readonly cut: boolean;
}

/** Runs one git command in the folder. */
export type Git = (parameters: readonly string[]) => Promise<GitAnswer>;

export interface GitOptions {
  /** Where git is looked for, and the home of its global settings. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const HARMLESS = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.quotePath=false", "diff.noprefix=false"];
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";
const TIME_LIMIT_MS = 10_000;
const OUTPUT_LIMIT = 1024 * 1024;

export function createGit(folder: string, options: GitOptions): Git {
  const fixed = ["--no-optional-locks", "--no-pager", ...HARMLESS.flatMap((setting) => ["-c", setting])];
  const env = spawnEnvironment({ PATH: DEFAULT_PATH, ...options.environment, LC_ALL: "C.UTF-8", GIT_TERMINAL_PROMPT: "0" });
  return (parameters) =>
    new Promise((resolve) => {
      const limits = { cwd: folder, env, signal: options.signal, timeout: TIME_LIMIT_MS, maxBuffer: OUTPUT_LIMIT, killSignal: "SIGKILL" as const };
      execFile("git", [...fixed, ...parameters], limits, (error, stdout) => {
        const cut = error?.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
        resolve({ ok: error === null || cut, text: stdout, cut });
      });
    });
}
