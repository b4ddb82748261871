/**
 * Answers on their way to a prompt, by its id. The card itself is painted from events only; this says
 * that an answer is being sent, or why it was not taken. An answer that comes too late (409) opens
 * the session anew, so that a card that is not there any more goes away (B063).
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Answers, ApprovalChoice } from "#protocol/event-values";
import type { ApiFailure, ApiResult } from "./api-result";
import type { ChatApi } from "./chat-api";

export type PromptAnswer =
  | { readonly status: "sending"; readonly choice: ApprovalChoice | null }
  /** Taken; the card changes with the event. */
  | { readonly status: "sent"; readonly choice: ApprovalChoice | null }
  | { readonly status: "failed"; readonly choice: ApprovalChoice | null; readonly failure: ApiFailure };

export interface PromptsState {
  readonly answers: Readonly<Record<string, PromptAnswer>>;
}

export interface PromptStoreOptions {
  readonly api: Pick<ChatApi, "answerApproval" | "answerClarify">;
  /** The session's view is out of date. */
  readonly refresh: (sessionId: string) => void;
}

const REMEMBERED = 50;

export class PromptStore {
  readonly store: StoreApi<PromptsState> = createStore<PromptsState>(() => ({ answers: {} }));
  readonly #options: PromptStoreOptions;

  constructor(options: PromptStoreOptions) {
    this.#options = options;
  }

  answerApproval(sessionId: string, approvalId: string, choice: ApprovalChoice): Promise<void> {
    return this.#send(sessionId, approvalId, choice, () => this.#options.api.answerApproval(sessionId, approvalId, choice));
  }

  answerClarify(sessionId: string, clarifyId: string, answers: Answers): Promise<void> {
    return this.#send(sessionId, clarifyId, null, () => this.#options.api.answerClarify(sessionId, clarifyId, answers));
  }

  async #send(sessionId: string, promptId: string, choice: ApprovalChoice | null, send: () => Promise<ApiResult<unknown>>): Promise<void> {
    const before = this.store.getState().answers[promptId];
    if (before !== undefined && before.status !== "failed") return;
    this.#set(promptId, { status: "sending", choice });
    const result = await send();
    this.#set(promptId, result.ok ? { status: "sent", choice } : { status: "failed", choice, failure: result });
    if (!result.ok && result.status === 409) this.#options.refresh(sessionId);
  }

  #set(promptId: string, answer: PromptAnswer): void {
    const others = Object.entries(this.store.getState().answers).filter(([id]) => id !== promptId);
    const kept = others.slice(-REMEMBERED);
    this.store.setState({ answers: { ...Object.fromEntries(kept), [promptId]: answer } });
  }
}
