import { useEffect } from "react";
import { useStore } from "zustand";
import { EMPTY_COMPOSER, type Composer } from "./composer-store";
import { useClient } from "./context";

/** The composer of a session (or `NEW_SESSION`), with what was kept of it. */
export function useComposer(composer: string): Composer {
  const { composers } = useClient();
  useEffect(() => composers.open(composer), [composers, composer]);
  return useStore(composers.store, (state) => state.composers[composer] ?? EMPTY_COMPOSER);
}
