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
