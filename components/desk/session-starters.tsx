import { useClient } from "#client/context";
import { useSessionList } from "#client/use-session-list";
import type { SessionView } from "#fold/session-view";
import { type Starter, Starters } from "../entry/starters";
import { newestFirst } from "../sidebar/session-groups";
import { useDesk } from "./desk-context";

/** Ways to begin in an empty session: two that fit any folder, and a branch of what was done last. */
export function SessionStarters({ view }: { readonly view: SessionView }) {
  const { api, composers } = useClient();
  const desk = useDesk();
  const { sessions } = useSessionList();
  const { session } = view;
  const last = newestFirst(sessions).find((other) => other.session_id !== session.session_id && other.last_message_at !== null && !other.archived);
  const write = (text: string): Starter => ({ text, onChoose: () => composers.setText(session.session_id, text) });
  const branch = async (sessionId: string): Promise<void> => {
    const answer = await api.sessions.branch(sessionId);
    const made = answer.ok ? answer.value.session : null;
    if (made !== null && made !== undefined) desk.go({ kind: "session", sessionId: made.session_id, runId: null });
    else if (!answer.ok) desk.tell({ text: answer.message });
  };
  const starters = [write("Say what is in this folder and how it is built"), write("Run the tests and explain what fails")];
  if (last !== undefined) starters.push({ text: `Go on with “${last.title}” in a branch`, onChoose: () => void branch(last.session_id) });
  return <Starters folder={folderName(session.workspace)} starters={starters} />;
}

function folderName(path: string): string {
  return path.replace(/[\\/]+$/, "").split(/[\\/]/).at(-1) ?? "this folder";
}
