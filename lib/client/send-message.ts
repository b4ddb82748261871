/** One message on its way, by the route of its mode; what was accepted, in one shape. */
import type { Api } from "./api";
import { clientFailure } from "./http-client";
import type { ApiResult } from "./api-result";
import type { Sending } from "./composer-draft";

export interface Accepted {
  readonly session_id: string;
  /** The run that it began; null when it waits in the queue, or a command began none. */
  readonly stream_id: string | null;
  readonly queue_id: string | null;
  /** What a command says. */
  readonly message: string | null;
  readonly data: unknown;
}

/** `sessionId` null: the session is made with the start. */
export async function sendMessage(api: Api, sessionId: string | null, sending: Sending): Promise<ApiResult<Accepted>> {
  const { mode, key, text: message, choices } = sending;
  const attachments = sending.attachments.map((attachment) => attachment.attachment_id);
  if (mode === "start") {
    const body = { ...(sessionId === null ? {} : { session_id: sessionId }), message, attachments, ...choices };
    const answer = await api.chat.start(body, key);
    if (!answer.ok) return answer;
    return accepted(answer.value.session_id, { stream_id: answer.value.stream_id });
  }
  if (sessionId === null) return { ...clientFailure("aborted"), message: "There is no session yet." };
  if (mode === "command") {
    const answer = await api.setup.runCommand(sessionId, message);
    if (!answer.ok) return answer;
    const { session_id, stream_id, message: said, data } = answer.value;
    return accepted(session_id ?? sessionId, { stream_id: stream_id ?? null, message: said, data });
  }
  const answer = await api.chat.enqueue({ session_id: sessionId, message, mode, attachments }, key);
  if (!answer.ok) return answer;
  return accepted(sessionId, { stream_id: answer.value.stream_id ?? null, queue_id: answer.value.queue_id ?? null });
}

function accepted(session_id: string, facts: Partial<Accepted>): ApiResult<Accepted> {
  return { ok: true, value: { session_id, stream_id: null, queue_id: null, message: null, data: null, ...facts } };
}
