/**
 * Pipes for the output of a child. Node's own are sockets, on which `echo x > /dev/stderr` fails
 * with ENXIO in the child; these are real ones, made as FIFOs in a folder whose name carries the
 * child's mark and unlinked before the child starts. Where no FIFO can be made Node's are used.
 */
import { type ChildProcess, execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { spawnEnvironment } from "#workspace/spawn-environment";
import { type ChildMark, pipeFolderName } from "./child-mark";

export interface OutputPipes {
  /** For `spawn`: where stdout and stderr of the child go. */
  readonly stdio: readonly ["ignore", number | "pipe", number | "pipe"];
  /** To be called right after `spawn`, also when that failed: gives the ends to read, each ends when its last writer is gone. */
  attach(child: ChildProcess | null): { readonly stdout: Readable; readonly stderr: Readable } | null;
}

interface Ends {
  readonly reader: number;
  readonly writer: number;
}

function makeFifos(places: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const limits = { env: spawnEnvironment({ PATH: "/usr/bin:/bin" }), timeout: 2000 };
    execFile("mkfifo", ["-m", "600", ...places], limits, (error) => resolve(error === null));
  });
}

/** The reader first, without waiting for a writer; then the writer, which blocks as programs expect. */
function openEnds(place: string): Ends {
  const reader = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reader, writer: openSync(place, constants.O_WRONLY) };
  } catch (error) {
    closeSync(reader);
    throw error;
  }
}

function fifoPipes(out: Ends, errors: Ends): OutputPipes {
  return {
    stdio: ["ignore", out.writer, errors.writer],
    attach(child) {
      closeSync(out.writer);
      closeSync(errors.writer);
      const stdout = new Socket({ fd: out.reader, readable: true, writable: false });
      const stderr = new Socket({ fd: errors.reader, readable: true, writable: false });
      if (child !== null) return { stdout, stderr };
      stdout.destroy();
      stderr.destroy();
      return null;
    },
  };
}

function nodePipes(): OutputPipes {
  return {
    stdio: ["ignore", "pipe", "pipe"],
    attach: (child) => (child === null || child.stdout === null || child.stderr === null ? null : { stdout: child.stdout, stderr: child.stderr }),
  };
}

export async function openOutputPipes(mark: ChildMark): Promise<OutputPipes> {
  // A kqueue of macOS does not report the end of a FIFO reliably.
  if (process.platform !== "linux") return nodePipes();
  const folder = await mkdtemp(path.join(tmpdir(), pipeFolderName(mark)));
  try {
    const places = [path.join(folder, "out"), path.join(folder, "errors")] as const;
    if (!(await makeFifos(places))) return nodePipes();
    const out = openEnds(places[0]);
    try {
      return fifoPipes(out, openEnds(places[1]));
    } catch (error) {
      closeSync(out.reader);
      closeSync(out.writer);
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
