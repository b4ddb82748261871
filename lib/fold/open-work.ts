/** What of a run is still open: selectors for the agent loop, the host and the page. */
import type { PartOf, RunView } from "#protocol/run-view";

export type OpenPrompt = PartOf<"approval"> | PartOf<"clarify">;

function isOpenCall(part: PartOf<"tool">): boolean {
  return part.status === "pending" || part.status === "running";
}

/** Calls without their `tool.done`, in the order of their step. */
export function openCalls(view: RunView): readonly PartOf<"tool">[] {
  return view.parts.filter((part): part is PartOf<"tool"> => part.type === "tool" && isOpenCall(part));
}

/** Prompts without their `*.resolved`, oldest first. */
export function openPrompts(view: RunView): readonly OpenPrompt[] {
  return view.parts.filter((part): part is OpenPrompt => (part.type === "approval" || part.type === "clarify") && part.status === "pending");
}

/** The oldest approval that waits, or null. */
export function pendingApproval(view: RunView): PartOf<"approval"> | null {
  return view.parts.find((part): part is PartOf<"approval"> => part.type === "approval" && part.status === "pending") ?? null;
}

/** The oldest question that waits, or null. */
export function pendingClarify(view: RunView): PartOf<"clarify"> | null {
  return view.parts.find((part): part is PartOf<"clarify"> => part.type === "clarify" && part.status === "pending") ?? null;
}

/** All calls of the newest step (one `tool.requested`), settled or not, in their order; empty before the first. */
export function currentStepCalls(view: RunView): readonly PartOf<"tool">[] {
  const calls = view.parts.filter((part): part is PartOf<"tool"> => part.type === "tool");
  const newest = calls.at(-1);
  return newest === undefined ? [] : calls.filter((call) => call.message_id === newest.message_id);
}
