/** Earlier turns of an open session: page by page, all of them, or as many as an address or a search asks for. */
import { type RefObject, useCallback, useEffect, useState } from "react";
import { useClient } from "#client/context";
import type { Turn } from "#fold/transcript";
import type { OlderTurns, TranscriptHandle } from "../transcript/transcript";

interface OlderTurnsPlan {
  readonly sessionId: string;
  /** The turn that the address names, or null. */
  readonly runId: string | null;
  readonly turns: readonly Turn[];
  readonly older: OlderTurns;
  readonly transcript: RefObject<TranscriptHandle | null>;
}

export interface OlderLoading {
  readonly older: () => void;
  readonly all: () => void;
  /** Loads until this turn is there. */
  readonly reach: (runId: string) => void;
}

/** For who wants something far away: a session of thousands of turns in a few requests. */
const FAR_RUNS = 200;

export function useOlderTurns({ sessionId, runId, turns, older, transcript }: OlderTurnsPlan): OlderLoading {
  const { sessions } = useClient();
  const [wantsAll, setWantsAll] = useState(false);
  const [wanted, setWanted] = useState<string | null>(null);
  const holds = (id: string | null): boolean => id !== null && turns.some((turn) => turn.run.run_id === id);
  const isThere = holds(runId);
  const goesOn = wantsAll || (runId !== null && !isThere) || (wanted !== null && !holds(wanted));

  // One page after the other, as each changes `older`, until the turn is there or nothing is left.
  useEffect(() => {
    if (older === "more" && goesOn) void sessions.loadOlder(sessionId, FAR_RUNS);
  }, [older, goesOn, sessions, sessionId]);
  useEffect(() => {
    if (isThere) transcript.current?.reveal(runId ?? "");
  }, [isThere, runId, transcript]);
  return { older: useCallback(() => void sessions.loadOlder(sessionId), [sessions, sessionId]), all: () => setWantsAll(true), reach: setWanted };
}
