/** A goal in words: where it stands and what the judge said last. */
import type { Goal } from "#protocol/session-shapes";
import { countOf } from "../words/count-words";

export interface GoalWords {
  readonly title: string;
  readonly fact: string;
  /** The judge's or the person's last word, as a sentence; null when nothing was said. */
  readonly verdict: string | null;
  /** Turns used of those there may be, or null where there is nothing to measure. */
  readonly share: number | null;
}

const WRITERS: Readonly<Record<Goal["status"], (goal: Goal) => GoalWords>> = {
  active: (goal) => ({ title: "Goal", fact: turnOf(goal), verdict: notYet(goal), share: shareOf(goal) }),
  paused: (goal) => ({ title: "Goal", fact: `paused, ${turnOf(goal)}`, verdict: goal.last_reason ?? "Paused.", share: shareOf(goal) }),
  done: (goal) => ({ title: "Goal reached", fact: countOf(goal.turns_used, "turn"), verdict: goal.last_reason, share: null }),
  cleared: (goal) => ({ title: "Goal given up", fact: countOf(goal.turns_used, "turn"), verdict: null, share: null }),
};

export function goalWords(goal: Goal): GoalWords {
  return WRITERS[goal.status](goal);
}

/** Turns are counted when they are over. */
function turnOf(goal: Goal): string {
  if (goal.turns_used === 0) return `first turn of ${goal.max_turns}`;
  return `turn ${Math.min(goal.turns_used, goal.max_turns)} of ${goal.max_turns}`;
}

function shareOf(goal: Goal): number | null {
  return goal.max_turns === 0 ? null : goal.turns_used / goal.max_turns;
}

function notYet(goal: Goal): string | null {
  if (goal.last_reason === null) return null;
  const [first = "", ...rest] = goal.last_reason;
  return `Not yet: ${first.toLowerCase()}${rest.join("")}`;
}
