import { useSession } from "#client/use-session";
import { useSessionList } from "#client/use-session-list";
import type { SessionEntry } from "#client/session-entry";
import { viewOf } from "#client/session-entry";
import { Lost } from "../entry/lost";
import { Opening } from "../entry/opening";
import { useDesk } from "./desk-context";
import { MainColumn } from "./main-column";
import { OpenSession } from "./open-session";
import { SessionHeader } from "./session-header";

interface SessionScreenProps {
  readonly sessionId: string;
  /** The turn that the address asks for, or null. */
  readonly runId: string | null;
}

/** A session by its address, in whatever state it is. */
export function SessionScreen({ sessionId, runId }: SessionScreenProps) {
  const entry = useSession(sessionId);
  const view = viewOf(entry);
  if (view !== null && entry.status !== "gone") return <OpenSession view={view} older={olderOf(entry)} runId={runId} />;
  return <ClosedSession sessionId={sessionId} entry={entry} />;
}

function olderOf(entry: SessionEntry) {
  const view = viewOf(entry);
  if (view === null || !view.has_more) return "none";
  if (entry.status !== "open") return "more";
  return entry.older === "idle" ? "more" : entry.older;
}

function ClosedSession({ sessionId, entry }: { readonly sessionId: string; readonly entry: SessionEntry }) {
  const desk = useDesk();
  const { sessions } = useSessionList();
  const title = sessions.find((session) => session.session_id === sessionId)?.title ?? null;
  const gone = entry.status === "gone";
  return (
    <MainColumn>
      <SessionHeader
        title={gone ? "" : (title ?? "")}
        project={null}
        view={desk.look.view}
        onView={(view) => desk.changeLook({ view })}
        onFind={null}
        onSessions={desk.openSidebar}
        sideHidden={!desk.look.side}
        panelHidden
        onPanel={null}
        waiting={0}
        more={null}
      />
      {gone ? (
        <Lost onNew={desk.newSession} onSearch={desk.openPalette} />
      ) : (
        <Opening title={title} problem={entry.status === "failed" ? `${entry.failure.message} Trying again.` : null} />
      )}
    </MainColumn>
  );
}
