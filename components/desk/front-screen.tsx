import { useEffect } from "react";
import { useSessionList } from "#client/use-session-list";
import { Opening } from "../entry/opening";
import { newestFirst } from "../sidebar/session-groups";
import { useDesk } from "./desk-context";
import { FirstRunScreen } from "./first-run-screen";
import { MainColumn } from "./main-column";

/** The front: the newest session, or the first page of an install that has none. */
export function FrontScreen() {
  const { go } = useDesk();
  const { sessions, status, failure, filter } = useSessionList();
  const [newest] = newestFirst(sessions);
  const newestId = newest?.session_id ?? null;
  useEffect(() => {
    if (newestId !== null) go({ kind: "session", sessionId: newestId, runId: null }, true);
  }, [newestId, go]);
  const isWhole = filter.archived === undefined && filter.project_id === undefined;
  if (status === "ready" && isWhole && newestId === null) return <FirstRunScreen />;
  return (
    <MainColumn>
      <Opening title={null} problem={status === "failed" ? (failure?.message ?? null) : null} />
    </MainColumn>
  );
}
