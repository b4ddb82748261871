import { useStore } from "zustand";
import { useClient } from "./context";
import type { ConnectionState } from "./link-machine";

/** What the connection banner says. */
export function useConnection(): ConnectionState {
  return useStore(useClient().connection, ({ state }) => state);
}
