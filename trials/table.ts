/** The table kinds × passed: for the terminal, and for docs/trials.md between its two marks. */
import { readFileSync, writeFileSync } from "node:fs";
import type { TrialResult } from "./play-trial";

export interface TableRow {
  readonly kind: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
}

const BEGIN = "<!-- table of the last run: begin -->";
const END = "<!-- table of the last run: end -->";

export function tableRows(kinds: readonly string[], results: readonly TrialResult[]): readonly TableRow[] {
  return kinds.flatMap((kind) => {
    const own = results.filter((result) => result.kind === kind);
    const count = (outcome: TrialResult["outcome"]): number => own.filter((result) => result.outcome === outcome).length;
    const seconds = own.reduce((sum, result) => sum + result.seconds, 0) / Math.max(1, own.length);
    return own.length === 0 ? [] : [{ kind, passed: count("passed"), failed: count("failed"), skipped: count("skipped"), seconds }];
  });
}

export function formatTable(rows: readonly TableRow[]): string {
  const cells = rows.map((row) => [row.kind, String(row.passed), String(row.failed), String(row.skipped), row.seconds.toFixed(1)]);
  const sum = (key: "passed" | "failed" | "skipped"): string => String(rows.reduce((total, row) => total + row[key], 0));
  const all = [["kind", "passed", "failed", "skipped", "seconds each"], ...cells, ["all", sum("passed"), sum("failed"), sum("skipped"), ""]];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0))) ?? [];
  const lines = all.map((line) => `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`);
  const rule = `|${widths.map((width, column) => (column === 0 ? `:${"-".repeat(width + 1)}` : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

/** Replaces what stands between the marks; throws when the document has none. */
export function writeTable(document: string, heading: string, table: string): void {
  const text = readFileSync(document, "utf8");
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${document} has no place for the table.`);
  writeFileSync(document, `${before}${BEGIN}\n${heading}\n\n${table}\n${END}${after}`);
}
