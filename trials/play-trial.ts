/** One trial from its seed: the kind, the product, the story, the checks; nothing is left behind. */
import { createSeededRandom, type SeededRandom } from "#testing/seeded-random";
import { checkTrial } from "./check-trial";
import { type DemoServer, startDemoServer } from "./demo-server";
import { KINDS } from "./kinds";
import { Person } from "./person";
import { Product } from "./product";
import { Stand } from "./stand";
import { Storyteller } from "./story";
import { Trial, type TrialKind } from "./trial";

export interface TrialResult {
  readonly seed: number;
  readonly kind: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** What is broken, in words; or why it was skipped. */
  readonly notes: readonly string[];
  readonly story: readonly string[];
  readonly seconds: number;
}

/** Seeds go through the kinds in turn, so that a seed alone names its trial. */
export function kindOfSeed(seed: number): TrialKind {
  const kind = KINDS[seed % KINDS.length];
  if (kind === undefined) throw new Error(`A seed is a whole number from 0 on, not ${seed}.`);
  return kind;
}

/** `keep`: the files of a failed trial stay, and the story says where. */
export async function playTrial(seed: number, keep: boolean): Promise<TrialResult> {
  const kind = kindOfSeed(seed);
  const begun = performance.now();
  const story: string[] = [];
  const tell = (line: string): void => void story.push(`${((performance.now() - begun) / 1000).toFixed(2)} s  ${line}`);
  const result = (outcome: TrialResult["outcome"], notes: readonly string[]): TrialResult => ({ seed, kind: kind.name, outcome, notes, story, seconds: (performance.now() - begun) / 1000 });
  const reason = kind.whySkipped?.() ?? null;
  if (reason !== null) return result("skipped", [reason]);
  const broken = await playKind(kind, seed, tell, keep).catch((error: unknown) => [error instanceof Error ? (error.stack ?? error.message) : String(error)]);
  return result(broken.length === 0 ? "passed" : "failed", broken);
}

async function playKind(kind: TrialKind, seed: number, tell: (line: string) => void, keep: boolean): Promise<readonly string[]> {
  const random = createSeededRandom(seed);
  const overHttp = random.chance(0.5) ? await startDemoServer() : null;
  const wished = kind.stand?.(random) ?? {};
  const stand = await Stand.create({ adapter: "runner-local", ...wished, env: { ...modelVariables(overHttp), ...wished.env } });
  tell(`${kind.name}, ${stand.options.adapter}, ${overHttp === null ? "built-in practice model" : "practice model over HTTP"}, ${stand.folder}`);
  let passed = false;
  try {
    await kind.prepare?.(stand);
    await stand.start();
    const broken = [...(await playOn(kind, stand, seed, random, tell)), ...(overHttp?.faults ?? []).map((fault) => `5.8: a strict provider would refuse: ${fault}`)];
    passed = broken.length === 0;
    if (!passed) tell(`output: ${stand.output}`);
    return broken;
  } finally {
    await stand.clear(keep && !passed);
    await overHttp?.close();
  }
}

async function playOn(kind: TrialKind, stand: Stand, seed: number, random: SeededRandom, tell: (line: string) => void): Promise<readonly string[]> {
  const product = new Product(stand.url, stand.folder);
  const person = new Person({ product, random: createSeededRandom(~seed), tell }, kind.holdsPrompts?.(random) ?? false);
  const trial = new Trial({ random, stand, product, person, storyteller: new Storyteller(random), tell });
  try {
    await kind.play(trial);
    return await checkTrial(trial);
  } finally {
    for (const observer of trial.observers) await observer.stop();
  }
}

function modelVariables(overHttp: DemoServer | null): Readonly<Record<string, string>> {
  if (overHttp === null) return {};
  return { HERMES_MODEL_PROVIDER: "openai-compatible", HERMES_MODEL: "practice", HERMES_MODEL_BASE_URL: overHttp.url, HERMES_MODEL_API_KEY: "a-key-of-the-trials" };
}
