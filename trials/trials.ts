/**
 * `npm run trials`: the validation matrix on the production build, with real processes, one trial per
 * seed. Builds what is stale first. A failing seed prints what broke and its story, and runs alone by
 * `npm run trials 1 --seed <it>`. Ends with 1 when any trial failed.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { buildOnce } from "./build-once";
import { KINDS } from "./kinds";
import { playTrial, type TrialResult } from "./play-trial";
import { formatTable, tableRows, writeTable } from "./table";
import { parseTrialOptions, type TrialOptions } from "./trial-options";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENT = join(ROOT, "docs/trials.md");

const options = parseTrialOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(options);
  process.exitCode = 1;
} else {
  process.exitCode = await runTrials(options);
}

async function runTrials({ count, seed, write, keep }: TrialOptions): Promise<number> {
  await buildOnce();
  const results: TrialResult[] = [];
  for (let at = seed; at < seed + count; at += 1) {
    const result = await playTrial(at, keep);
    results.push(result);
    console.log(`${results.length}/${count}  seed ${at}  ${result.kind}: ${result.outcome} (${result.seconds.toFixed(1)} s)${result.outcome === "skipped" ? `, ${result.notes.join()}` : ""}`);
    if (result.outcome === "failed") console.log([...result.notes, ...result.story].map((line) => `    ${line}`).join("\n"));
  }
  const table = formatTable(tableRows(KINDS.map((kind) => kind.name), results));
  const failed = results.filter((result) => result.outcome === "failed");
  console.log(`\n${table}\n`);
  if (failed.length > 0) console.log(`Failed seeds: ${failed.map((result) => result.seed).join(", ")}`);
  const words = `Seeds ${seed} to ${seed + count - 1}, commit ${commit()}, Node ${process.versions.node}, ${process.platform}.`;
  console.log(words);
  if (write) writeTable(DOCUMENT, words, table);
  return failed.length === 0 ? 0 : 1;
}

function commit(): string {
  const git = (...words: string[]): string => execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") === "" ? "" : " with changes"}`;
  } catch {
    // Not a checkout.
    return "unknown";
  }
}
