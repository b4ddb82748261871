/**
 * A tool row in words: what kind of work a call is, the verb for each kind and state, and the one
 * fact at its end. All by total records, so a new kind or state has to be given its words.
 */
import type { PartOf } from "#protocol/run-view";
import { bytesOf, type FileRange, fileRangeOf, type Places, placesOf } from "../output/tool-data";
import { countOf, groupedWords, sizeWords } from "../words/count-words";
import { durationWords, wholeDurationWords } from "../words/time-words";

export type ToolPart = PartOf<"tool">;
export type ToolState = ToolPart["status"];
export type ToolKind =
  | "command"
  | "process"
  | "read"
  | "list"
  | "write"
  | "edit"
  | "search"
  | "fetch"
  | "handOn"
  | "plan"
  | "ask"
  | "remember"
  | "recall"
  | "skill"
  | "other";

const KIND_BY_NAME: ReadonlyMap<string, ToolKind> = new Map([
  ["terminal", "command"],
  ["process", "process"],
  ["read_file", "read"],
  ["list_files", "list"],
  ["write_file", "write"],
  ["patch", "edit"],
  ["search_files", "search"],
  ["web_fetch", "fetch"],
  ["delegate_task", "handOn"],
  ["todo", "plan"],
  ["clarify", "ask"],
  ["memory", "remember"],
  ["session_search", "recall"],
  ["skills", "skill"],
]);

export function toolKindOf(name: string): ToolKind {
  return KIND_BY_NAME.get(name) ?? "other";
}

/** While it runs, and once it has. A call that has not begun is "Next" whatever its kind. */
const RUNNING: Readonly<Record<ToolKind, string>> = {
  command: "Running",
  process: "Background:",
  read: "Reading",
  list: "Listing",
  write: "Writing",
  edit: "Changing",
  search: "Searching for",
  fetch: "Opening",
  handOn: "Handing on",
  plan: "Plan:",
  ask: "Asking",
  remember: "Memory:",
  recall: "Looking back for",
  skill: "Skill:",
  other: "Using",
};
const DONE: Readonly<Record<ToolKind, string>> = {
  command: "Ran",
  process: "Background:",
  read: "Read",
  list: "Listed",
  write: "Wrote",
  edit: "Changed",
  search: "Searched for",
  fetch: "Opened",
  handOn: "Handed on",
  plan: "Plan:",
  ask: "Asked",
  remember: "Memory:",
  recall: "Looked back for",
  skill: "Skill:",
  other: "Used",
};
/** A call that failed did not do what its verb says, except where trying is the doing. */
const FAILED: Readonly<Record<ToolKind, string>> = {
  ...DONE,
  read: "Could not read",
  list: "Could not list",
  write: "Could not write",
  edit: "Could not change",
  fetch: "Could not open",
  ask: "Could not ask",
};

const VERB: Readonly<Record<ToolState, (kind: ToolKind) => string>> = {
  pending: () => "Next",
  running: (kind) => RUNNING[kind],
  ok: (kind) => DONE[kind],
  error: (kind) => FAILED[kind],
  denied: () => "Not run",
  cancelled: (kind) => DONE[kind],
  interrupted: (kind) => DONE[kind],
};

/** The row's verb. A call that was stopped before it began was not run. */
export function toolVerb(kind: ToolKind, part: Pick<ToolPart, "status" | "started_at">): string {
  const neverBegan = part.started_at === null && (part.status === "cancelled" || part.status === "interrupted");
  return neverBegan ? "Not run" : VERB[part.status](kind);
}

export type Denial = "person" | "expired" | "rule";

const DENIED: Readonly<Record<Denial, string>> = {
  person: "you denied it",
  expired: "nobody answered",
  rule: "too dangerous in every mode",
};

/** The fact at the row's end, or null. `seconds` is how long a running call has run. */
export function toolFact(part: ToolPart, denial: Denial, seconds: number): string | null {
  const facts: Readonly<Record<ToolState, () => string | null>> = {
    pending: () => null,
    running: () => (part.started_at === null ? null : wholeDurationWords(seconds)),
    ok: () => joinFacts([doneFact(part), part.duration_ms !== null && showsDuration(part) ? durationWords(part.duration_ms) : null]),
    error: () => joinFacts([failureFact(part), part.duration_ms === null ? null : durationWords(part.duration_ms)]),
    denied: () => DENIED[denial],
    cancelled: () => (part.started_at === null ? "stopped by you" : `stopped by you${after(part)}`),
    interrupted: () => (part.started_at === null ? "cut off" : `cut off${after(part)}`),
  };
  return facts[part.status]();
}

function after(part: ToolPart): string {
  return part.duration_ms === null ? "" : ` after ${wholeDurationWords(part.duration_ms / 1000)}`;
}

function joinFacts(facts: readonly (string | null)[]): string | null {
  const known = facts.filter((fact) => fact !== null && fact !== "");
  return known.length === 0 ? null : known.join(" · ");
}

function failureFact(part: ToolPart): string | null {
  if (part.exit_code !== null && part.exit_code !== 0) return `exit ${part.exit_code}`;
  return part.invalid === null ? null : "not a valid call";
}

/** Reading, searching and changing are told by what they touched; how long they took says nothing. */
const SHOWS_DURATION: Readonly<Record<ToolKind, boolean>> = {
  command: true,
  process: false,
  read: false,
  list: false,
  write: false,
  edit: false,
  search: false,
  fetch: true,
  handOn: true,
  plan: false,
  ask: false,
  remember: false,
  recall: false,
  skill: false,
  other: true,
};

function showsDuration(part: ToolPart): boolean {
  return SHOWS_DURATION[toolKindOf(part.name)];
}

/** What the call touched, from the data of its card. */
function doneFact(part: ToolPart): string | null {
  const facts: Readonly<Partial<Record<ToolKind, () => string | null>>> = {
    read: () => linesFact(fileRangeOf(part.data)),
    search: () => placesFact(placesOf(part.data)),
    fetch: () => bytesFact(bytesOf(part.data)),
  };
  return facts[toolKindOf(part.name)]?.() ?? null;
}

function bytesFact(bytes: number | null): string | null {
  return bytes === null ? null : sizeWords(bytes);
}

function linesFact(range: FileRange | null): string | null {
  if (range === null) return null;
  const { first_line: first, shown_lines: shown, total_lines: total } = range;
  const last = first + shown - 1;
  if (first <= 1 && last >= total) return countOf(total, "line");
  return `lines ${groupedWords(first)}–${groupedWords(last)} of ${groupedWords(total)}`;
}

function placesFact(found: Places | null): string | null {
  if (found === null) return null;
  if (found.places.length === 0) return "nothing found";
  const files = new Set(found.places.map((place) => place.path)).size;
  return `${found.truncated ? "the first " : ""}${countOf(found.places.length, "place")} in ${countOf(files, "file")}`;
}
