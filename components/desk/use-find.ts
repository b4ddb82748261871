/**
 * Finding words in a session: in the turns that are loaded at once, in all earlier ones by asking the
 * server where they stand. Going back from the first match loads up to the next earlier turn that has
 * them, and nothing where no turn has.
 */
import { useEffect, useMemo, useState } from "react";
import { useClient } from "#client/context";
import type { Turn } from "#fold/transcript";
import type { OlderTurns } from "../transcript/transcript";
import { earlierRuns, findMatches, type FindMatch, placeOfMatch } from "./find-matches";

interface FindPlan {
  readonly sessionId: string;
  readonly turns: readonly Turn[];
  readonly older: OlderTurns;
  readonly onReach: (runId: string) => void;
}

export interface Finding {
  readonly words: string;
  readonly setWords: (words: string) => void;
  readonly count: number;
  /** From 0; -1 for none. */
  readonly index: number;
  readonly current: FindMatch | null;
  /** Turns that are not loaded and have the words; null while that is not known. */
  readonly earlier: number | null;
  /** Earlier turns are being loaded for a match. */
  readonly reaching: boolean;
  readonly back: () => void;
  readonly on: () => void;
}

const PAUSE_MS = 200;

export function useFind({ sessionId, turns, older, onReach }: FindPlan): Finding {
  const [words, setWords] = useState("");
  const [row, setRow] = useState<string | null>(null);
  const [reached, setReached] = useState<string | null>(null);
  const matches = useMemo(() => findMatches(turns, words), [turns, words]);
  const told = useToldRuns(sessionId, words, older !== "none");
  const earlier = useMemo(() => (told === null ? null : earlierRuns(told, turns)), [told, turns]);
  const index = placeOfMatch(matches, row);
  const [next] = earlier ?? [];

  // The turn that was wanted is there: its last match is the next one on the way back.
  if (reached !== null && turns.some((turn) => turn.run.run_id === reached)) {
    setReached(null);
    setRow(matches.findLast((match) => match.runId === reached)?.row ?? row);
  }
  // Nothing of it is loaded: then what is earlier is what was asked for.
  else if (reached === null && matches.length === 0 && next !== undefined) setReached(next);
  useEffect(() => {
    if (reached !== null) onReach(reached);
  }, [reached, onReach]);
  const step = (to: number): void => setRow(matches[(to + matches.length) % matches.length]?.row ?? null);
  return {
    words,
    setWords: (text) => {
      setWords(text);
      setRow(null);
      setReached(null);
    },
    count: matches.length,
    index,
    current: matches[index] ?? null,
    earlier: earlier?.length ?? null,
    reaching: reached !== null && (older === "more" || older === "loading"),
    back: () => (index <= 0 && next !== undefined ? setReached(next) : step(index - 1)),
    on: () => step(index + 1),
  };
}

/** The session's turns that have the words, newest first, as the server knows them; null while it was not asked. */
function useToldRuns(sessionId: string, words: string, asks: boolean): readonly string[] | null {
  const { api } = useClient();
  const wanted = asks ? words.trim() : "";
  const [told, setTold] = useState<{ readonly of: string; readonly runs: readonly string[] } | null>(null);
  useEffect(() => {
    if (wanted === "") return undefined;
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      const answer = await api.sessions.search(wanted, sessionId, stop.signal);
      if (!stop.signal.aborted && answer.ok) setTold({ of: wanted, runs: [...new Set(answer.value.results.map((result) => result.run_id))] });
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, sessionId, wanted]);
  return wanted !== "" && told?.of === wanted ? told.runs : null;
}
