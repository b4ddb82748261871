/** Where words stand in the loaded turns: rows by their keys, in reading order. Pure. */
import type { Turn } from "#fold/transcript";
import type { ViewPart } from "#protocol/run-view";

export interface FindMatch {
  readonly runId: string;
  /** A row's key, as it stands in `data-row`. */
  readonly row: string;
}

export function findMatches(turns: readonly Turn[], words: string): readonly FindMatch[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  return turns.flatMap(({ run }) => {
    const message = run.message?.text.toLowerCase().includes(wanted) === true ? [{ runId: run.run_id, row: `${run.run_id}:message` }] : [];
    const parts = run.parts.flatMap((part) => {
      const row = rowOf(part);
      return row !== null && textOf(part).toLowerCase().includes(wanted) ? [{ runId: run.run_id, row }] : [];
    });
    return [...message, ...parts];
  });
}

/** Where a match stands; the last one, which is the newest, when none was chosen or it is gone. */
export function placeOfMatch(matches: readonly FindMatch[], row: string | null): number {
  const at = row === null ? -1 : matches.findIndex((match) => match.row === row);
  return at < 0 ? matches.length - 1 : at;
}

/** Of the turns that have the words, newest first, those that are not loaded. What was undone since is in neither. */
export function earlierRuns(told: readonly string[], turns: readonly Turn[]): readonly string[] {
  const loaded = new Set(turns.map((turn) => turn.run.run_id));
  return told.filter((runId) => !loaded.has(runId));
}

interface FindState {
  readonly words: string;
  readonly index: number;
  readonly count: number;
  /** Null while it is not known. */
  readonly earlier: number | null;
}

/** "2 of 5", "2 of 5, 3 earlier", "not found"; nothing is said while the rest is being looked for. */
export function findFact({ words, index, count, earlier }: FindState): string {
  if (words.trim() === "") return "";
  const before = earlier === null || earlier === 0 ? "" : `${earlier} earlier`;
  if (count > 0) return `${index + 1} of ${count}${before === "" ? "" : `, ${before}`}`;
  return earlier === null ? "" : before === "" ? "not found" : before;
}

function rowOf(part: ViewPart): string | null {
  if (part.type === "text") return part.segment_id;
  if (part.type === "tool") return part.tool_call_id;
  if (part.type === "approval") return part.approval_id;
  if (part.type === "clarify") return part.clarify_id;
  return part.type === "steer" ? part.queue_id : null;
}

/** What of a part is read without opening it. */
function textOf(part: ViewPart): string {
  if (part.type === "text" || part.type === "steer") return part.text;
  if (part.type === "tool") return part.title;
  if (part.type === "approval") return `${part.summary} ${part.command ?? ""}`;
  if (part.type === "clarify") return part.questions.map((question) => question.question).join(" ");
  return "";
}
