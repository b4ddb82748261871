/** One line of the bench's table: what was measured, beside a reference of the same minute on the same machine. */
import type { BenchRow } from "./journal-bench";

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly reference: string;
  /** Measured against reference, or what was added to it. */
  readonly ratio: string;
  readonly target: string;
  /** Null: the row only informs. */
  readonly met: boolean | null;
}

/** A rate or a limit of which a least ratio is wanted. */
export function ratioRow({ what, measured, reference, ratio, target }: BenchRow): Row {
  return { what, measured, reference, ratio: ratio.toFixed(2), target: target === null ? "" : `≥ ${target}`, met: target === null ? null : ratio >= target };
}

/** A cost of which at most so many times the reference is wanted. */
export function costRow(row: { readonly what: string; readonly unit: string; readonly measured: number; readonly reference: number; readonly most: number }): Row {
  const ratio = row.measured / row.reference;
  const say = (value: number): string => `${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 })} ${row.unit}`;
  return { what: row.what, measured: say(row.measured), reference: say(row.reference), ratio: ratio.toFixed(2), target: `≤ ${row.most}`, met: ratio <= row.most };
}

/** A delay of which at most so many milliseconds are to be added to the reference's. */
export function addedRow(row: { readonly what: string; readonly measuredMs: number; readonly referenceMs: number; readonly mostMs: number }): Row {
  const added = row.measuredMs - row.referenceMs;
  return {
    what: row.what,
    measured: `${row.measuredMs.toFixed(1)} ms`,
    reference: `${row.referenceMs.toFixed(1)} ms`,
    ratio: `${added >= 0 ? "+" : "−"}${Math.abs(added).toFixed(1)} ms`,
    target: `≤ +${row.mostMs} ms`,
    met: added <= row.mostMs,
  };
}

export function limitRow(row: { readonly what: string; readonly measured: number; readonly unit: string; readonly below: number }): Row {
  const say = (value: number): string => `${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 })} ${row.unit}`;
  return { what: row.what, measured: say(row.measured), reference: "", ratio: "", target: `< ${say(row.below)}`, met: row.measured < row.below };
}

export function formatRows(rows: readonly Row[]): string {
  const lines = [["what", "measured", "reference", "ratio", "target", ""], ...rows.map((row) => [row.what, row.measured, row.reference, row.ratio, row.target, row.met === null ? "" : row.met ? "✓" : "✗"])];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) => line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ").trimEnd()).join("\n");
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
