/**
 * Compression in what a model is told: a `progress` of kind `compressed` that carries a `summary` is
 * a border. The newest one speaks for all runs that any border covers (a later summary was made from
 * the earlier one), and the run that holds it goes on after it.
 */
import type { RunView } from "#protocol/run-view";

export interface CompressionBorder {
  readonly summary: string;
  readonly holderRunId: string;
  /** Where the border stands in the holder's parts. */
  readonly partIndex: number;
  /** Runs that the summary stands for; the holder itself when it was cut in its own middle. */
  readonly coveredRunIds: ReadonlySet<string>;
}

/** The newest border of these runs, or null. Runs that were rewound must be left out before. */
export function findBorder(views: readonly RunView[]): CompressionBorder | null {
  const coveredRunIds = new Set<string>();
  let newest: CompressionBorder | null = null;
  for (const view of views) {
    for (const [partIndex, part] of view.parts.entries()) {
      if (part.type !== "progress" || part.kind !== "compressed" || part.summary === null || part.summary.trim() === "") continue;
      for (const runId of part.covers) coveredRunIds.add(runId);
      newest = { summary: part.summary, holderRunId: view.run_id, partIndex, coveredRunIds };
    }
  }
  return newest;
}
