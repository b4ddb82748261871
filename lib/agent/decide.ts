/**
 * The next step of a run as a pure function of its view. Waiting for a person, resuming after a
 * crash and replaying are the same code because nothing else is asked.
 *
 * The calls of the newest `tool.requested` are the open step. They run strictly one after the other;
 * a call that waits for a person holds back those behind it, not those before it.
 */
import type { PartOf, RunView } from "#protocol/run-view";

export type Decision =
  | { readonly kind: "call_model" }
  | { readonly kind: "run_call"; readonly call: PartOf<"tool">; readonly approval: PartOf<"approval"> | null }
  | { readonly kind: "answer_call"; readonly call: PartOf<"tool">; readonly clarify: PartOf<"clarify"> }
  | { readonly kind: "wait" }
  | { readonly kind: "end"; readonly finish: "tool_limit_reached" };

export function decide(view: RunView, limits: { readonly max_steps: number }): Decision {
  const call = view.parts.find((part): part is PartOf<"tool"> => part.type === "tool" && (part.status === "pending" || part.status === "running"));
  if (call === undefined) {
    return view.steps >= limits.max_steps ? { kind: "end", finish: "tool_limit_reached" } : { kind: "call_model" };
  }
  const clarify = clarifyOf(view, call.tool_call_id);
  if (clarify !== null) return clarify.status === "pending" ? { kind: "wait" } : { kind: "answer_call", call, clarify };
  const approval = approvalOf(view, call.tool_call_id);
  if (approval?.status === "pending") return { kind: "wait" };
  return { kind: "run_call", call, approval };
}

/** A call may have to ask again when what was allowed changed: its newest approval counts. */
function approvalOf(view: RunView, toolCallId: string): PartOf<"approval"> | null {
  return view.parts.findLast((part): part is PartOf<"approval"> => part.type === "approval" && part.tool_call_id === toolCallId) ?? null;
}

function clarifyOf(view: RunView, toolCallId: string): PartOf<"clarify"> | null {
  return view.parts.findLast((part): part is PartOf<"clarify"> => part.type === "clarify" && part.tool_call_id === toolCallId) ?? null;
}
