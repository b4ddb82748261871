/** What a workspace says about itself to agents: the first of the usual files, bounded. */
import { open } from "node:fs/promises";
import { join } from "node:path";

const NAMES = [".hermes.md", "AGENTS.md", "CLAUDE.md", ".cursorrules"] as const;
const LIMIT_BYTES = 20_000;

export async function readProjectNotes(workspace: string): Promise<string | null> {
  for (const name of NAMES) {
    const text = await readStart(join(workspace, name));
    if (text !== null && text.trim() !== "") return text;
  }
  return null;
}

/** Null for whatever is no readable file: notes are a help, never a reason to fail. */
async function readStart(path: string): Promise<string | null> {
  let file;
  try {
    file = await open(path, "r");
  } catch {
    return null;
  }
  try {
    if (!(await file.stat()).isFile()) return null;
    const { bytesRead, buffer } = await file.read(Buffer.alloc(LIMIT_BYTES), 0, LIMIT_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
  }
}
