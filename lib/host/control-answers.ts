/** Answers of controls that changed nothing (H3). */
import type { ControlResult } from "#protocol/control";

/** The events of a control could not be stored: this process does not own the run any more. */
export function lostRun(): ControlResult {
  return { accepted: false, status: "conflict", event_id: null, safe_message: "Another process owns this run now. Try again." };
}

export function notActive(message: string): ControlResult {
  return { accepted: false, status: "not-active", event_id: null, safe_message: message };
}
