/** A search in the workspace's files, a moment after the last key; an older question's answer is dropped. */
import { useEffect, useState } from "react";
import { useClient } from "#client/context";
import { foundFiles } from "../panel/found-files";
import type { FileSearchState } from "../panel/file-search";

const PAUSE_MS = 200;

export function useFileSearch(sessionId: string, words: string): FileSearchState {
  const { api } = useClient();
  const wanted = words.trim();
  const [held, setHeld] = useState<{ readonly of: string; readonly state: FileSearchState }>({ of: "", state: { kind: "idle" } });
  useEffect(() => {
    if (wanted === "") return undefined;
    const stop = new AbortController();
    const search = async (): Promise<void> => {
      const answer = await api.files.search(sessionId, wanted, stop.signal);
      if (stop.signal.aborted) return;
      const state: FileSearchState = answer.ok
        ? { kind: "found", files: foundFiles(answer.value.results), truncated: answer.value.truncated }
        : { kind: "failed", message: answer.message };
      setHeld({ of: wanted, state });
    };
    const timer = setTimeout(() => void search(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, sessionId, wanted]);
  if (wanted === "") return { kind: "idle" };
  return held.of === wanted ? held.state : { kind: "searching" };
}
