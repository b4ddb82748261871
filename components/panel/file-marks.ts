import type { ChangedFile } from "#fold/session-selectors";

/** What the agent did, as marks in the tree: at each file, and counted at each folder above a new one. */
export function fileMarks(files: readonly ChangedFile[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  const fresh = new Map<string, number>();
  for (const file of files) {
    if (file.kind === "deleted") continue;
    marks.set(file.path, file.kind === "created" ? "new" : "changed");
    if (file.kind !== "created") continue;
    for (let end = file.path.lastIndexOf("/"); end > 0; end = file.path.lastIndexOf("/", end - 1)) {
      const folder = file.path.slice(0, end);
      fresh.set(folder, (fresh.get(folder) ?? 0) + 1);
    }
  }
  for (const [folder, count] of fresh) marks.set(folder, `${count} new`);
  return marks;
}
