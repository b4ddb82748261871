import { useStore } from "zustand";
import { useClient } from "./context";
import type { SessionListState } from "./session-list-store";

/** The list of sessions by its present filter; `useClient().list` changes it. */
export function useSessionList(): SessionListState {
  return useStore(useClient().list.store);
}
