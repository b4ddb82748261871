import type { Answers, ApprovalChoice } from "#protocol/event-values";
import type { OutcomeAction } from "./outcome-words";

/** What the reader can do in a transcript. One object that keeps its identity, so that rows stay memoised. */
export interface TranscriptActions {
  readonly approve: (approvalId: string, choice: ApprovalChoice) => void;
  readonly answer: (clarifyId: string, answers: Answers) => void;
  /** Words that could not be given as an answer any more. */
  readonly keepWords: (words: string) => void;
  readonly branch: (runId: string) => void;
  /** Asks again; with a message in place of the one that began the turn, or null for the same. */
  readonly retry: (runId: string, message: string | null) => void;
  readonly edit: (runId: string) => void;
  readonly copy: (text: string) => void;
  readonly outcome: (action: OutcomeAction, runId: string) => void;
  readonly openSession: (sessionId: string) => void;
  readonly attachmentUrl: (attachmentId: string) => string;
}
