/**
 * S3: what a child died of, from what the system and its last output tell. The kind is for programs,
 * the message for a person; neither holds output of the child, which may hold anything.
 */
import type { ChildName } from "#config/supervisor-status";
import type { CrashKind } from "#protocol/runner-health";

export interface ProcessEnd {
  /** Both null: nobody was there to see how it ended. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly wasReady: boolean;
  /** It was ended because it did not get ready in time. */
  readonly startTimedOut: boolean;
  /** The last output. */
  readonly output: string;
}

export interface Crash {
  readonly kind: CrashKind;
  readonly message: string;
}

export function classifyCrash(name: ChildName, end: ProcessEnd): Crash {
  const kind = kindOf(end);
  return { kind, message: MESSAGES[kind](`The ${name} process`, end) };
}

const MESSAGES: Readonly<Record<CrashKind, (subject: string, end: ProcessEnd) => string>> = {
  exit: (subject, end) => `${subject} ended by itself with code ${end.code}.`,
  signal: (subject, end) => `${subject} was ended by ${end.signal}.`,
  out_of_memory: (subject) => `${subject} ran out of memory.`,
  port_taken: (subject) => `${subject} found its port taken.`,
  failed_start: (subject, end) => (end.startTimedOut ? `${subject} did not get ready in time.` : `${subject} could not start (${howOf(end)}).`),
  gone: (subject) => `${subject} is gone; nobody saw how it ended.`,
};

function kindOf(end: ProcessEnd): CrashKind {
  if (/JavaScript heap out of memory|Array buffer allocation failed/.test(end.output)) return "out_of_memory";
  if (/EADDRINUSE/.test(end.output) && !end.wasReady) return "port_taken";
  if (end.startTimedOut || (!end.wasReady && end.code !== null)) return "failed_start";
  if (end.signal !== null) return "signal";
  return end.code === null ? "gone" : "exit";
}

function howOf(end: ProcessEnd): string {
  return end.signal ?? `code ${end.code}`;
}
