/** What a workspace says about itself to agents: the first of the usual files, bounded. */
import { AppError } from "#protocol/errors";
import { readFileView } from "#workspace/read";

const NAMES = [".hermes.md", "AGENTS.md", "CLAUDE.md", ".cursorrules"] as const;
const LIMIT_CHARACTERS = 20_000;

export async function readProjectNotes(workspace: string): Promise<string | null> {
  for (const name of NAMES) {
    const text = await readStart(workspace, name);
    if (text !== null && text.trim() !== "") return text;
  }
  return null;
}

/** Null for whatever is no readable file inside the workspace: notes are a help, never a reason to fail. */
async function readStart(workspace: string, name: string): Promise<string | null> {
  try {
    const { content, encoding } = await readFileView(workspace, name);
    return encoding === "utf8" ? content.slice(0, LIMIT_CHARACTERS) : null;
  } catch (cause) {
    if (cause instanceof AppError) return null;
    throw cause;
  }
}
