/** What can be done with a session from its row or its header, and the dialogs that some of it asks for. */
import { type ReactNode, useState } from "react";
import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import { ConfirmDialog } from "../look/confirm-dialog";
import { TextDialog } from "../look/text-dialog";
import type { SessionMenuActions } from "../sidebar/session-menu";
import { useDesk } from "./desk-context";

type Asked = { readonly kind: "rename" | "remove"; readonly sessionId: string; readonly title: string };

export interface SessionActions {
  readonly actions: SessionMenuActions;
  /** To be drawn somewhere, once. */
  readonly dialogs: ReactNode;
}

export function useSessionActions(): SessionActions {
  const { api, list } = useClient();
  const desk = useDesk();
  const [asked, setAsked] = useState<Asked | null>(null);

  const settle = async (request: Promise<ApiResult<unknown>>, done?: () => void): Promise<void> => {
    const answer = await request;
    if (answer.ok) done?.();
    else desk.tell({ text: answer.message });
    list.refresh();
  };
  const archive = (sessionId: string, archived: boolean): void => {
    const undo = (): void => void settle(api.sessions.change(sessionId, { archived: !archived }));
    void settle(api.sessions.change(sessionId, { archived }), () => desk.tell({ text: archived ? "Archived." : "Taken out of the archive.", undo }));
  };
  const remove = (sessionId: string): void => {
    const { place } = desk;
    const isOpen = place.kind === "session" && place.sessionId === sessionId;
    void settle(api.sessions.remove(sessionId), () => isOpen && desk.go({ kind: "front" }, true));
  };

  const actions: SessionMenuActions = {
    projects: desk.projects.value ?? [],
    rename: (session) => setAsked({ kind: "rename", sessionId: session.session_id, title: session.title }),
    pin: (sessionId, pinned) => void settle(api.sessions.change(sessionId, { pinned })),
    archive,
    move: (sessionId, projectId) => void settle(api.sessions.change(sessionId, { project_id: projectId })),
    remove: (session) => setAsked({ kind: "remove", sessionId: session.session_id, title: session.title }),
  };
  const close = (): void => setAsked(null);
  const dialogs = (
    <>
      {asked?.kind === "rename" ? (
        <TextDialog
          title="Rename the session"
          label="Title"
          initial={asked.title}
          action="Rename"
          onSubmit={(title) => void settle(api.sessions.change(asked.sessionId, { title }))}
          onClose={close}
        />
      ) : null}
      <ConfirmDialog
        open={asked?.kind === "remove"}
        title={`Delete “${asked?.title ?? ""}”?`}
        description="What runs in it is stopped. The session and all its messages are gone for good."
        confirm="Delete"
        onConfirm={() => asked !== null && remove(asked.sessionId)}
        onClose={close}
      />
    </>
  );
  return { actions, dialogs };
}
