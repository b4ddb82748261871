/**
 * Is an owner of runs alive? Answered without trusting the wall clock alone, since it may be set.
 *
 * - Its process can be seen and is gone (or its number belongs to another start): dead at once.
 * - Its process runs and its lease has run out: a live one renews every third of a lease, so it is
 *   watched for a little longer than that; a stopped one stays silent and has lost its runs.
 * - Its process cannot be seen from here (another pid namespace): it is watched for two thirds of a
 *   lease, whatever the clock says.
 * - Else it lives: its process runs, and its lease too.
 */
import { readlinkSync } from "node:fs";

export interface OwnerRow {
  readonly epoch: number;
  readonly kind: string;
  readonly pid: number;
  readonly pid_started: string;
  readonly expires_at: number;
}

/** `watchMs`: dead unless it renews within that time. */
export type OwnerFate = { readonly kind: "alive" } | { readonly kind: "dead" } | { readonly kind: "doubtful"; readonly watchMs: number };

export interface FateContext {
  /** Unix seconds. */
  readonly now: number;
  readonly leaseSeconds: number;
  readonly namespace: string;
  readonly readMark: (pid: number) => string | null;
}

const SLACK_MS = 500;

export function judgeOwner(owner: OwnerRow, context: FateContext): OwnerFate {
  const leaseMs = context.leaseSeconds * 1000;
  const [mark, namespace] = splitStart(owner.pid_started);
  if (namespace !== context.namespace) return { kind: "doubtful", watchMs: (leaseMs * 2) / 3 + SLACK_MS };
  if (context.readMark(owner.pid) !== mark) return { kind: "dead" };
  return owner.expires_at <= context.now ? { kind: "doubtful", watchMs: leaseMs / 3 + SLACK_MS } : { kind: "alive" };
}

/** A process's start together with the place from which its number means something. */
export function joinStart(mark: string, namespace: string): string {
  return `${mark}@${namespace}`;
}

function splitStart(text: string): readonly [mark: string, namespace: string] {
  const at = text.lastIndexOf("@");
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Empty where there are no pid namespaces. */
export function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // No such link outside Linux.
    return "";
  }
}
