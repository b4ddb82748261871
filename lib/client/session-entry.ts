/** What the page knows of one session that it shows or showed: a union by status, made by pure steps. */
import type { SessionView } from "#fold/session-view";
import type { ApiFailure } from "./api-result";

export type SessionEntry =
  /** Being opened; `view` is what was known before, which may be drawn meanwhile. */
  | { readonly status: "opening"; readonly view: SessionView | null }
  | { readonly status: "open"; readonly view: SessionView; readonly older: "idle" | "loading" | "failed" }
  /** Could not be opened; tried again while it is shown where that may help. */
  | { readonly status: "failed"; readonly view: SessionView | null; readonly failure: ApiFailure }
  /** Unknown or deleted. */
  | { readonly status: "gone" };

export const OPENING: SessionEntry = { status: "opening", view: null };

export function viewOf(entry: SessionEntry | undefined): SessionView | null {
  return entry === undefined || entry.status === "gone" ? null : entry.view;
}

/** The entry with a newer view. */
export function withView(entry: SessionEntry | undefined, view: SessionView): SessionEntry {
  return entry?.status === "open" ? { ...entry, view } : { status: "open", view, older: "idle" };
}

export function reopening(entry: SessionEntry | undefined): SessionEntry {
  return entry?.status === "open" ? entry : { status: "opening", view: viewOf(entry) };
}
