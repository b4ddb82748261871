/** Answers of controls that changed nothing (H3). */
import type { ControlResult } from "#protocol/control";

/** The events of a control could not be stored: another process took the run over, or the file took nothing for a minute. */
export function lostRun(): ControlResult {
  return { accepted: false, status: "conflict", event_id: null, safe_message: "This could not be stored: another process owns this run now, or there is no space for it. Try again in a moment." };
}

export function notActive(message: string): ControlResult {
  return { accepted: false, status: "not-active", event_id: null, safe_message: message };
}
