import { useEffect } from "react";
import { useStore } from "zustand";
import { useClient } from "./context";
import { OPENING, type SessionEntry } from "./session-entry";

/** The session, followed while the component is mounted. */
export function useSession(sessionId: string): SessionEntry {
  const { sessions } = useClient();
  useEffect(() => sessions.show(sessionId), [sessions, sessionId]);
  return useStore(sessions.store, (state) => state.entries[sessionId] ?? OPENING);
}
