/** Earlier turns of an open session: page by page, all of them, or as many as the address asks for. */
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

interface OlderLoading {
  readonly older: () => void;
  readonly all: () => void;
}

export function useOlderTurns({ sessionId, runId, turns, older, transcript }: OlderTurnsPlan): OlderLoading {
  const { sessions } = useClient();
  const [wantsAll, setWantsAll] = useState(false);
  const load = useCallback(() => void sessions.loadOlder(sessionId), [sessions, sessionId]);
  const isThere = runId !== null && turns.some((turn) => turn.run.run_id === runId);

  // One page after the other, as each changes `older`, until the turn is there or nothing is left.
  useEffect(() => {
    if (older === "more" && (wantsAll || (runId !== null && !isThere))) load();
  }, [older, wantsAll, runId, isThere, load]);
  useEffect(() => {
    if (isThere) transcript.current?.reveal(runId);
  }, [isThere, runId, transcript]);
  return { older: load, all: () => setWantsAll(true) };
}
