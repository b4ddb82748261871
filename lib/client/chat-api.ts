/** Runs and what is said into them: start, stop, answers, queue, goal (contract 3.1). */
import type { Answers, ApprovalChoice, QueueMode } from "#protocol/event-values";
import { runStateSchema } from "#protocol/run-view";
import {
  approvalPendingSchema,
  cancelSchema,
  clarifyPendingSchema,
  goalAnswerSchema,
  okSchema,
  queueAddSchema,
  queueItemAnswerSchema,
  queueListSchema,
  queueResumeSchema,
  runListSchema,
  startSchema,
  yoloSchema,
} from "./answers";
import { withQuery, type HttpClient } from "./http-client";

export interface StartBody {
  /** Left out: a session is made. */
  readonly session_id?: string;
  readonly message: string;
  readonly attachments?: readonly string[];
  readonly workspace?: string;
  readonly profile?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly toolsets?: readonly string[];
  readonly source?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly continues?: string;
}

export interface QueueBody {
  readonly session_id: string;
  readonly message: string;
  readonly mode: QueueMode;
  readonly attachments?: readonly string[];
}

export interface QueueChange {
  readonly queue_id: string;
  readonly message?: string;
  readonly mode?: QueueMode;
  /** Another item: this one moves in front of it. */
  readonly before?: string;
}

export type GoalAction = "set" | "pause" | "resume" | "clear" | "status" | "edit";

export type ChatApi = ReturnType<typeof createChatApi>;

export function createChatApi(http: HttpClient) {
  return {
    /** `key`: the message's own; sent again after an unclear failure it starts nothing twice (B033). */
    start: (body: StartBody, key: string) => http.call("POST", "/api/chat/start", startSchema, { body, key }),
    status: (streamId: string) => http.call("GET", withQuery("/api/chat/stream/status", { stream_id: streamId }), runStateSchema),
    cancel: (streamId: string) => http.call("POST", "/api/chat/cancel", cancelSchema, { body: { stream_id: streamId } }),
    runs: (sessionId: string, page: { readonly limit?: number; readonly before?: string } = {}) =>
      http.call("GET", withQuery(`/api/sessions/${encodeURIComponent(sessionId)}/runs`, page), runListSchema),
    pendingApproval: (sessionId: string) => http.call("GET", withQuery("/api/approval/pending", { session_id: sessionId }), approvalPendingSchema),
    pendingClarify: (sessionId: string) => http.call("GET", withQuery("/api/clarify/pending", { session_id: sessionId }), clarifyPendingSchema),
    answerApproval: (sessionId: string, approvalId: string, choice: ApprovalChoice) =>
      http.call("POST", "/api/approval/respond", okSchema, { body: { session_id: sessionId, approval_id: approvalId, choice } }),
    answerClarify: (sessionId: string, clarifyId: string, answers: Answers) =>
      http.call("POST", "/api/clarify/respond", okSchema, { body: { session_id: sessionId, clarify_id: clarifyId, answers } }),
    queue: (sessionId: string) => http.call("GET", withQuery("/api/queue", { session_id: sessionId }), queueListSchema),
    enqueue: (body: QueueBody, key: string) => http.call("POST", "/api/queue", queueAddSchema, { body, key }),
    changeQueued: (change: QueueChange) => http.call("PATCH", "/api/queue", queueItemAnswerSchema, { body: change }),
    removeQueued: (queueId: string) => http.call("DELETE", "/api/queue", okSchema, { body: { queue_id: queueId } }),
    resumeQueue: (sessionId: string) => http.call("POST", "/api/queue/resume", queueResumeSchema, { body: { session_id: sessionId } }),
    goal: (sessionId: string) => http.call("GET", withQuery("/api/goal", { session_id: sessionId }), goalAnswerSchema),
    changeGoal: (sessionId: string, action: GoalAction, text?: string) =>
      http.call("POST", "/api/goal", goalAnswerSchema, { body: { session_id: sessionId, action, ...(text === undefined ? {} : { text }) } }),
    setYolo: (sessionId: string, enabled: boolean) =>
      http.call("POST", "/api/session/yolo", yoloSchema, { body: { session_id: sessionId, enabled } }),
  };
}
