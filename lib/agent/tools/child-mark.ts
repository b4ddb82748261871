/**
 * How children of ours are known again (after a crash of their owner, too): by two variables in
 * their environment, and by the name of the pipe that takes their output, which holds the same.
 * A child that clears its environment still has the pipe; one that closes the pipe still has the
 * environment.
 */
import type { ProcessMark } from "./tool-port";

/** `tree`: one spawned command with all that comes of it. */
export interface ChildMark extends ProcessMark {
  readonly tree: string;
  /** A background process outlives its run; it belongs to the session. */
  readonly background: boolean;
}

const MARK = "HERMES_CHILD_MARK";
const TREE = "HERMES_CHILD_TREE";
const PIPE = /hermes-output~([^~/]+)~([^~/]+)~(fg|bg)-([^~/]+)~/;

function treeOf(mark: ChildMark): string {
  return `${mark.background ? "bg" : "fg"}-${mark.tree}`;
}

/** The variables that a child carries. */
export function markVariables(mark: ChildMark): Readonly<Record<string, string>> {
  return { [MARK]: `${mark.run_id}:${mark.session_id}`, [TREE]: treeOf(mark) };
}

/** A name for the folder of its pipes; ends in `~`. */
export function pipeFolderName(mark: ChildMark): string {
  return `hermes-output~${mark.run_id}~${mark.session_id}~${treeOf(mark)}~`;
}

function toMark(run: string | undefined, session: string | undefined, kind: string | undefined, tree: string | undefined): ChildMark | null {
  if (run === undefined || session === undefined || tree === undefined) return null;
  return { run_id: run, session_id: session, tree, background: kind === "bg" };
}

/** The mark in a `/proc/<pid>/environ`, or null. */
export function markInEnvironment(environment: string): ChildMark | null {
  if (!environment.includes(MARK)) return null;
  const values = new Map(environment.split("\0").map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)] as const));
  const [run, session] = (values.get(MARK) ?? "").split(":");
  const [, kind, tree] = /^(fg|bg)-(.+)$/.exec(values.get(TREE) ?? "fg-unknown") ?? [];
  return toMark(run, session, kind, tree);
}

/** The mark in the target of an open file, or null. */
export function markInFile(target: string): ChildMark | null {
  const found = PIPE.exec(target);
  return found === null ? null : toMark(found[1], found[2], found[3], found[4]);
}
