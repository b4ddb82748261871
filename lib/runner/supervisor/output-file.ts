/**
 * Where a child's stdout and stderr go: a file, because a pipe would break, and the child with it,
 * when the supervisor is killed. While the supervisor lives it passes the child's log lines on and
 * keeps the file small; what the child wrote last tells what it died of.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";

export interface OutputFile {
  /** To hand to the child; it appends. */
  readonly descriptor: number;
  /** The last output since `startFresh`, at most 16 KiB. */
  readTail(): string;
  /** Forgets earlier output: another process begins to write. */
  startFresh(): void;
  close(): void;
}

const MAX_BYTES = 8 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const PIECE_BYTES = 64 * 1024;
const LOOK_EVERY_MS = 250;

/** @param passOn gets each complete line that is a log entry (a JSON object), without its end */
export function openOutputFile(path: string, passOn: (line: string) => void): OutputFile {
  const descriptor = openSync(path, "a+", 0o600);
  let freshFrom = fstatSync(descriptor).size;
  let passedTo = freshFrom;
  let unfinished = "";

  function passOnNew(): void {
    const { size } = fstatSync(descriptor);
    if (size < passedTo) passedTo = 0;
    while (passedTo < size) {
      const piece = read(descriptor, passedTo, Math.min(PIECE_BYTES, size - passedTo));
      if (piece.length === 0) break;
      passedTo += piece.length;
      const lines = (unfinished + piece.toString("utf8")).split("\n");
      unfinished = (lines.pop() ?? "").slice(-PIECE_BYTES);
      for (const line of lines) if (line.startsWith("{")) passOn(line);
    }
    if (size > MAX_BYTES) startOver();
  }

  function startOver(): void {
    ftruncateSync(descriptor, 0);
    freshFrom = 0;
    passedTo = 0;
  }

  const timer = setInterval(passOnNew, LOOK_EVERY_MS);
  timer.unref();
  return {
    descriptor,
    readTail() {
      passOnNew();
      const { size } = fstatSync(descriptor);
      const from = Math.max(freshFrom, size - TAIL_BYTES);
      return size > from ? read(descriptor, from, size - from).toString("utf8") : "";
    },
    startFresh() {
      passOnNew();
      unfinished = "";
      startOver();
    },
    close() {
      clearInterval(timer);
      passOnNew();
      closeSync(descriptor);
    },
  };
}

function read(descriptor: number, from: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, from));
}
