import { useState } from "react";
import { type Turn, turnOf } from "#fold/transcript";
import type { RunView } from "#protocol/run-view";

/**
 * The drawn turns of a session, oldest first. A run that did not change gives the same turn, so a token
 * costs one turn's work however long the session is.
 */
export function useTurns(runs: readonly RunView[]): readonly Turn[] {
  const [remembered] = useState(() => new WeakMap<RunView, Turn>());
  const turns: Turn[] = [];
  let tries = 0;
  for (const run of runs) {
    if (run.rewound) {
      tries += 1;
      continue;
    }
    turns.push(remember(remembered, run, tries));
    tries = 0;
  }
  return turns;
}

function remember(remembered: WeakMap<RunView, Turn>, run: RunView, triesBefore: number): Turn {
  const fresh = remembered.get(run);
  if (fresh !== undefined && (fresh.opening !== "retry" || fresh.attempt === triesBefore + 1)) return fresh;
  const turn = turnOf(run, triesBefore);
  remembered.set(run, turn);
  return turn;
}
