/** Prompts in words: what is asked, and the one line that stays of it. */
import type { ApiFailure } from "#client/api-result";
import type { PromptAnswer } from "#client/prompt-store";
import type { ApprovalChoice, Risk } from "#protocol/event-values";
import type { PartOf } from "#protocol/run-view";
import { hourWords } from "../words/time-words";

type Approval = PartOf<"approval">;
type Clarify = PartOf<"clarify">;

export const CHOICE_LABEL: Readonly<Record<ApprovalChoice, string>> = {
  once: "Approve once",
  session: "Approve for this session",
  always: "Always approve",
  deny: "Deny",
};
/** Keys by the choice, not by its place: 4 always denies. */
export const CHOICE_KEY: Readonly<Record<ApprovalChoice, string>> = { once: "1", session: "2", always: "3", deny: "4" };

export const RISK_WORDS: Readonly<Record<Risk["level"], string>> = {
  low: "Low risk.",
  medium: "Medium risk.",
  high: "High risk.",
  critical: "Critical risk.",
};

/** Reasons as sentences. */
export function reasonWords(reasons: readonly string[]): string {
  return reasons
    .map((reason) => reason.trim())
    .filter((reason) => reason !== "")
    .map((reason) => `${reason[0]?.toUpperCase() ?? ""}${reason.slice(1)}`)
    .map((reason) => (/[.!?]$/.test(reason) ? reason : `${reason}.`))
    .join(" ");
}

const APPROVED: Readonly<Record<ApprovalChoice, string>> = { once: "it once", session: "it for this session", always: "it for good", deny: "it" };

export interface SettledLine {
  readonly done: boolean;
  readonly text: string;
  /** Words of the person, drawn in quotes. */
  readonly quote: string | null;
}

/** Who settled a prompt, when it was not the person on a page. */
const BY_RULE: ReadonlySet<string> = new Set(["yolo", "runtime"]);

export function settledApproval(part: Approval): SettledLine {
  const at = part.resolved_at === null ? "" : ` at ${hourWords(part.resolved_at)}`;
  const lines: Readonly<Record<Approval["status"], () => SettledLine>> = {
    pending: () => ({ done: false, text: "Waiting for you", quote: null }),
    approved: () => ({ done: true, text: approvedBy(part, at), quote: null }),
    denied: () => ({ done: false, text: `You denied it${at}`, quote: null }),
    expired: () => ({ done: false, text: "Not run: nobody answered in time", quote: null }),
    cancelled: () => ({ done: false, text: "Not run: the turn ended before an answer", quote: null }),
  };
  return lines[part.status]();
}

function approvedBy(part: Approval, at: string): string {
  if (part.by !== null && BY_RULE.has(part.by)) return `Approved without asking${at}`;
  return `You approved ${APPROVED[part.choice ?? "once"]}${at}`;
}

export function settledQuestion(part: Clarify): SettledLine {
  const lines: Readonly<Record<Clarify["status"], () => SettledLine>> = {
    pending: () => ({ done: false, text: "Waiting for you", quote: null }),
    answered: () => ({ done: true, text: "You answered", quote: answerText(part) }),
    expired: () => ({ done: false, text: "Nobody answered in time, it went on alone", quote: null }),
    cancelled: () => ({ done: false, text: "The turn ended before an answer", quote: null }),
  };
  return lines[part.status]();
}

function answerText(part: Clarify): string {
  return part.questions
    .map((question) => part.answers[question.id])
    .filter((answer) => answer !== undefined)
    .map((answer) => (typeof answer === "string" ? answer : answer.join(", ")))
    .join("; ");
}

/** An answer given here that got through or is about to. */
export function isUnderWay(answer: PromptAnswer | null): answer is Exclude<PromptAnswer, { status: "failed" }> {
  return answer !== null && answer.status !== "failed";
}

/** Why an answer did not get through. A prompt that is not open any more was answered somewhere else. */
export function problemWords(failure: ApiFailure): string {
  return failure.code === "not_active" ? "This was answered on another device." : `${failure.message} It still waits for you.`;
}
