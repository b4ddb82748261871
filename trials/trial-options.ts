/** `npm run trials [n] [--seed s] [--write] [--keep]`, read or refused in one line. */
export interface TrialOptions {
  readonly count: number;
  /** The first seed; the others follow it. */
  readonly seed: number;
  /** The table goes to docs/trials.md, too. */
  readonly write: boolean;
  /** The files of failed trials stay where the story says. */
  readonly keep: boolean;
}

export const TRIALS_USAGE = "npm run trials [how many, 100] [--seed <first seed, 1>] [--write] [--keep]";
const MOST = 100_000;

/** A text is why not. */
export function parseTrialOptions(words: readonly string[]): TrialOptions | string {
  const options = { count: 100, seed: 1, write: false, keep: false };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--write") options.write = true;
    else if (word === "--keep") options.keep = true;
    else {
      const name = word === "--seed" || word.startsWith("--seed=") ? "seed" : "count";
      const text = word === "--seed" ? (rest.shift() ?? "") : word.replace("--seed=", "");
      if (!/^\d+$/.test(text) || Number(text) > MOST * MOST) return `${word} is not understood. ${TRIALS_USAGE}`;
      options[name] = Number(text);
    }
  }
  return options.count >= 1 && options.count <= MOST ? options : `Between 1 and ${MOST} trials. ${TRIALS_USAGE}`;
}
