/** What the reader can do in this session's transcript, as one object that keeps its identity. */
import { useMemo } from "react";
import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import type { OutcomeAction } from "../transcript/outcome-words";
import type { TranscriptActions } from "../transcript/transcript-actions";
import { useDesk } from "./desk-context";

interface TranscriptDeeds {
  readonly sessionId: string;
  /** These two must keep their identity as well. */
  readonly onEdit: (runId: string) => void;
  readonly onChangeModel: () => void;
}

export function useTranscriptActions({ sessionId, onEdit, onChangeModel }: TranscriptDeeds): TranscriptActions {
  const { api, composers, prompts } = useClient();
  const { tell, go, openSettings } = useDesk();
  return useMemo(() => {
    const settle = async <T>(request: Promise<ApiResult<T>>, done?: (value: T) => void): Promise<void> => {
      const answer = await request;
      if (answer.ok) done?.(answer.value);
      else tell({ text: answer.message });
    };
    // The key is the run's own: pressed twice, it goes on once.
    const goOn = (runId: string, message: string): void =>
      void settle(api.chat.start({ session_id: sessionId, message, continues: runId }, `${runId}:${message}`));
    const deeds: Readonly<Record<OutcomeAction, (runId: string) => void>> = {
      goOn: (runId) => goOn(runId, "Go on."),
      continue: (runId) => goOn(runId, "Continue."),
      tryAgain: (runId) => void settle(api.sessions.retry(sessionId, { run_id: runId })),
      sumUp: () => void settle(api.sessions.compress(sessionId)),
      openKeys: () => openSettings("models"),
      changeModel: onChangeModel,
    };
    const openSession = (id: string): void => go({ kind: "session", sessionId: id, runId: null });
    return {
      approve: (approvalId, choice) => void prompts.answerApproval(sessionId, approvalId, choice),
      answer: (clarifyId, answers) => void prompts.answerClarify(sessionId, clarifyId, answers),
      keepWords: (words) => composers.appendText(sessionId, words),
      branch: (runId) =>
        void settle(api.sessions.branch(sessionId, { run_id: runId }), ({ session }) => {
          if (session !== null && session !== undefined) openSession(session.session_id);
        }),
      retry: (runId, message) => void settle(api.sessions.retry(sessionId, { run_id: runId, ...(message === null ? {} : { message }) })),
      edit: onEdit,
      copy: (text) => void navigator.clipboard?.writeText(text).catch(() => tell({ text: "The browser did not allow it." })),
      outcome: (action, runId) => deeds[action](runId),
      openSession,
      attachmentUrl: api.files.attachmentUrl,
    };
  }, [api, composers, prompts, sessionId, tell, go, openSettings, onEdit, onChangeModel]);
}
