/**
 * A log file of bounded size: when the next line would pass the bound, the file becomes `.1`, the
 * older `.1` becomes `.2`, and the oldest goes. Lines are written at once and whole, so that the last
 * ones are there after a crash. A disk that refuses a line loses that line, never the process: the
 * number of lost lines is written as soon as the disk takes lines again.
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { systemErrorCode } from "./system-error";

export interface LogFile {
  /** One line with its end. */
  write(line: string): void;
  close(): void;
}

export interface LogFileLimits {
  readonly maxBytes: number;
  /** Files kept beside the one that is written. */
  readonly kept: number;
}

const DEFAULT_LOG_FILE_LIMITS: LogFileLimits = { maxBytes: 5 * 1024 * 1024, kept: 2 };

export function openLogFile(path: string, limits: LogFileLimits = DEFAULT_LOG_FILE_LIMITS): LogFile {
  let file: number | null = null;
  let size = 0;
  let lost = 0;

  function open(): number {
    const opened = openSync(path, "a", 0o600);
    size = fstatSync(opened).size;
    file = opened;
    return opened;
  }

  function close(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  function rotate(): void {
    close();
    rmSync(`${path}.${limits.kept}`, { force: true });
    for (let age = limits.kept - 1; age >= 1; age -= 1) renameIfThere(`${path}.${age}`, `${path}.${age + 1}`);
    if (limits.kept > 0) renameIfThere(path, `${path}.1`);
    else rmSync(path, { force: true });
  }

  function append(line: string): void {
    const bytes = Buffer.byteLength(line);
    let target = file ?? open();
    if (size > 0 && size + bytes > limits.maxBytes) {
      rotate();
      target = open();
    }
    size += writeSync(target, line);
  }

  return {
    write(line) {
      try {
        if (lost > 0) append(lossNote(lost));
        append(line);
        lost = 0;
      } catch {
        // Full, read-only or gone: logging must not end what it watches.
        lost += 1;
      }
    },
    close,
  };
}

function lossNote(lost: number): string {
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), msg: `${lost} log lines could not be written` })}\n`;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
}
