/**
 * `delegate_task`: a child run in a session of its own, inside its parent's slot. The parent's stop
 * stops it; its answer is the tool's result. The session is kept, and the list leaves it out.
 */
import type { DelegatePort } from "#agent/tools/delegate-task";
import { insertSession } from "#sessions/new-session";
import { fallbackTitle } from "#agent/title";
import type { RunView } from "#protocol/run-view";
import type { LiveRun } from "./live-run";
import type { RunHost } from "./run-host";

export function createDelegatePort(host: RunHost, parent: LiveRun): DelegatePort {
  return {
    delegate: async ({ goal, context }, toolContext) => {
      const { create_id, now } = host.dependencies;
      const sessionId = create_id("ses");
      const { request } = parent;
      const message = context === null ? goal : `${goal}\n\nWhat you need to know:\n${context}`;
      const launched = await host.launch({
        request: { ...request, session_id: sessionId, message, attachments: [], source: "delegate", metadata: { parent_run_id: parent.run_id }, continues: null, instruction: null },
        session: { title: fallbackTitle(goal), title_source: "user" },
        before: [
          insertSession({
            session_id: sessionId,
            title: fallbackTitle(goal),
            profile: request.profile,
            project_id: null,
            workspace: request.workspace,
            provider: request.provider,
            model: request.model,
            parent_session_id: request.session_id,
            hidden: true,
            now: now(),
          }),
        ],
        slotless: true,
      });
      if (!launched.ok) return { ok: false, text: launched.error.message, session_id: null, run_id: null };
      // Told at once: the child may ask, and a prompt that nobody can find waits for ever (B069).
      toolContext.update({ data: { kind: "delegate", session_id: sessionId, run_id: launched.value.run_id } });
      const child = host.liveRun(launched.value.run_id);
      const stop = (): void => void child?.cancel("The parent was stopped.");
      toolContext.signal.addEventListener("abort", stop, { once: true });
      await child?.finished;
      toolContext.signal.removeEventListener("abort", stop);
      const view = await host.dependencies.journal.readView(launched.value.run_id);
      return { ok: view?.terminal_state === "completed", text: answerOf(view), session_id: sessionId, run_id: launched.value.run_id };
    },
  };
}

function answerOf(view: RunView | null): string {
  const text = view?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).at(-1) ?? "";
  if (view?.terminal_state === "completed") return text === "" ? "The child ended without an answer." : text;
  const reason = view?.error?.message ?? "The child was stopped.";
  return text === "" ? reason : `${reason}\n\nWhat it said before:\n${text}`;
}
