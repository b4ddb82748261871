/** Prompts that wait for a person: each is one part, made by its request and settled by its own id. */
import type { RunPayload } from "#protocol/events";
import type { PartsDraft } from "./parts-draft";

export function foldApprovalRequested(parts: PartsDraft, payload: RunPayload<"approval.requested">): void {
  if (parts.update("approval", (part) => part.approval_id === payload.approval_id, (part) => part)) return;
  parts.add({
    type: "approval",
    approval_id: payload.approval_id,
    tool_call_id: payload.tool_call_id,
    summary: payload.summary,
    command: payload.command ?? null,
    cwd: payload.cwd ?? null,
    risk: payload.risk,
    choices: payload.choices,
    expires_at: payload.expires_at,
    status: "pending",
    choice: null,
    by: null,
    resolved_at: null,
  });
}

export function foldApprovalResolved(parts: PartsDraft, payload: RunPayload<"approval.resolved">, at: number): void {
  parts.update(
    "approval",
    (part) => part.approval_id === payload.approval_id,
    (part) => ({ ...part, status: payload.status, choice: payload.choice, by: payload.by, resolved_at: at }),
  );
}

export function foldClarifyRequested(parts: PartsDraft, payload: RunPayload<"clarify.requested">): void {
  if (parts.update("clarify", (part) => part.clarify_id === payload.clarify_id, (part) => part)) return;
  parts.add({
    type: "clarify",
    clarify_id: payload.clarify_id,
    tool_call_id: payload.tool_call_id,
    questions: payload.questions,
    expires_at: payload.expires_at,
    status: "pending",
    answers: {},
    resolved_at: null,
  });
}

export function foldClarifyResolved(parts: PartsDraft, payload: RunPayload<"clarify.resolved">, at: number): void {
  parts.update(
    "clarify",
    (part) => part.clarify_id === payload.clarify_id,
    (part) => ({ ...part, status: payload.status, answers: payload.answers, resolved_at: at }),
  );
}
