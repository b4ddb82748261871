import { useCallback, useState } from "react";
import type { SessionSummary } from "#protocol/session-shapes";
import { useNow } from "../look/use-now";
import { groupSessions, keepOrder, newestFirst } from "./session-groups";
import type { SessionMenuActions } from "./session-menu";
import { SessionRow } from "./session-row";

interface SessionListProps {
  readonly sessions: readonly SessionSummary[];
  readonly currentId: string | null;
  readonly hrefOf: (sessionId: string) => string;
  readonly onOpen: (sessionId: string) => void;
  readonly actions: SessionMenuActions;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  /** Said where there is no session, as a sentence. */
  readonly empty: string;
}

export function SessionList({ sessions, currentId, hrefOf, onOpen, actions, hasMore, onMore, empty }: SessionListProps) {
  const [frozen, setFrozen] = useState<readonly string[] | null>(null);
  const now = useNow(true, 60);
  const ordered = frozen === null ? newestFirst(sessions) : keepOrder(sessions, frozen);
  const watchEnd = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const observer = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore();
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [onMore],
  );
  return (
    <div
      onPointerEnter={(event) => event.pointerType === "mouse" && setFrozen(ordered.map((session) => session.session_id))}
      onPointerLeave={() => setFrozen(null)}
      className="min-h-0 flex-1 overflow-y-auto px-2 pt-1 pb-2 thin-scroll phone:px-3"
    >
      {ordered.length === 0 ? <p className="px-2 pt-4 pl-8 text-13 text-faint">{empty}</p> : null}
      {groupSessions(ordered, now).map((group) => (
        <section key={group.label}>
          <h2 className="px-2 pt-4 pb-1.5 pl-8 text-12 font-medium text-faint">{group.label}</h2>
          <ul>
            {group.sessions.map((session) => (
              <SessionRow
                key={session.session_id}
                session={session}
                current={session.session_id === currentId}
                href={hrefOf(session.session_id)}
                onOpen={onOpen}
                actions={actions}
              />
            ))}
          </ul>
        </section>
      ))}
      {hasMore ? <div ref={watchEnd} className="h-8" /> : null}
    </div>
  );
}
