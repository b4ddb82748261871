/** What an unfinished run waits for, in the shape of the events that asked. */
import type { z } from "zod";
import { openPrompts } from "#fold/open-work";
import type { PartOf, RunView } from "#protocol/run-view";
import type { pendingApprovalSchema, pendingClarifySchema } from "#protocol/session-shapes";
import { ACTIVE_SQL, type SessionsRoom } from "./sessions-room";

export type PendingApproval = z.infer<typeof pendingApprovalSchema>;
export type PendingClarify = z.infer<typeof pendingClarifySchema>;

/** Oldest first. */
export interface PendingPrompts {
  readonly approvals: readonly PendingApproval[];
  readonly clarifications: readonly PendingClarify[];
}

export const NO_PROMPTS: PendingPrompts = { approvals: [], clarifications: [] };

export function pendingPrompts(view: RunView): PendingPrompts {
  const approvals: PendingApproval[] = [];
  const clarifications: PendingClarify[] = [];
  for (const part of openPrompts(view)) {
    if (part.type === "approval") approvals.push(toApproval(part, view.run_id));
    else clarifications.push(toClarify(part, view.run_id));
  }
  return { approvals, clarifications };
}

export async function readPendingPrompts(room: Pick<SessionsRoom, "database" | "journal">, sessionId: string): Promise<PendingPrompts> {
  // The row says whether anything waits: the view of a run that only works is not read for it.
  const { rows } = await room.database.execute({
    sql: `SELECT run_id FROM runs WHERE session_id = ? AND status IN ${ACTIVE_SQL} AND (pending_approval_id IS NOT NULL OR pending_clarify_id IS NOT NULL)`,
    args: [sessionId],
  });
  const runId = rows[0]?.["run_id"];
  const view = typeof runId === "string" ? await room.journal.readView(runId) : null;
  return view === null ? NO_PROMPTS : pendingPrompts(view);
}

function toApproval(part: PartOf<"approval">, runId: string): PendingApproval {
  const { approval_id, tool_call_id, summary, command, cwd, risk, choices, expires_at } = part;
  return { approval_id, tool_call_id, run_id: runId, summary, command, cwd, risk, choices: [...choices], expires_at };
}

function toClarify(part: PartOf<"clarify">, runId: string): PendingClarify {
  const { clarify_id, tool_call_id, questions, expires_at } = part;
  const first = questions[0];
  return { clarify_id, tool_call_id, run_id: runId, questions, question: first?.question ?? "", choices: [...(first?.choices ?? [])], expires_at };
}
