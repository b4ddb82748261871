import { useCallback, useEffect } from "react";
import { useClient } from "#client/context";
import { useSessionList } from "#client/use-session-list";
import { waitingSessions } from "#fold/session-selectors";
import type { SessionSummary } from "#protocol/session-shapes";
import { useNow } from "../look/use-now";
import { useRemote } from "./use-remote";

const EVERY_S = 10;
const MOST = 200;

/** Sessions that wait for the person, the longest waiting first. While the list shows only some of them, all are asked for now and then. */
export function useWaitingSessions(): readonly SessionSummary[] {
  const { api } = useClient();
  const { sessions, filter } = useSessionList();
  const partial = Object.values(filter).some((value) => value !== undefined);
  const load = useCallback(() => api.sessions.list({ limit: MOST }), [api]);
  const { value, reload } = useRemote(partial ? "all sessions" : null, load);
  const now = useNow(partial, EVERY_S);
  useEffect(() => {
    if (partial) reload();
  }, [partial, now, reload]);
  return waitingSessions(partial ? (value?.sessions ?? sessions) : sessions);
}
