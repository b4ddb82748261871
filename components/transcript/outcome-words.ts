/**
 * How a turn ended, in words, with what one can do about it. By total records over the outcome's kind
 * and the failure's code: a code that is new has to be given its sentence before this compiles.
 */
import type { TurnOutcome } from "#fold/transcript";
import { RUN_FAILURE_CODES, type RunFailureCode } from "#protocol/errors";
import { countOf } from "../words/count-words";
import { hourWords, wholeDurationWords } from "../words/time-words";

export type OutcomeIcon = "square" | "warning" | "key" | "power" | "dots" | "wave" | "clock";
export type OutcomeAction = "goOn" | "tryAgain" | "continue" | "openKeys" | "changeModel" | "sumUp";

export interface OutcomeWords {
  readonly icon: OutcomeIcon;
  /** Red is for what failed, never for what the person did on purpose. */
  readonly failed: boolean;
  readonly title: string;
  readonly fact: string | null;
  readonly action: OutcomeAction | null;
  readonly second: OutcomeAction | null;
}

export const ACTION_LABEL: Readonly<Record<OutcomeAction, string>> = {
  goOn: "Go on",
  tryAgain: "Try again",
  continue: "Continue",
  openKeys: "Open keys",
  changeModel: "Change model",
  sumUp: "Sum it up",
};

interface FailureWords {
  readonly title: string;
  readonly icon: OutcomeIcon;
  readonly action: OutcomeAction;
  readonly second: OutcomeAction | null;
}

const FAILURES: Readonly<Record<RunFailureCode, FailureWords>> = {
  provider_auth: { title: "The key was not accepted", icon: "key", action: "openKeys", second: "changeModel" },
  provider_rate_limited: { title: "The model is busy", icon: "warning", action: "tryAgain", second: "changeModel" },
  provider_overloaded: { title: "The model server is overloaded", icon: "warning", action: "tryAgain", second: "changeModel" },
  provider_quota: { title: "The account has no credit left", icon: "warning", action: "changeModel", second: "tryAgain" },
  provider_bad_request: { title: "The model refused the request", icon: "warning", action: "tryAgain", second: "changeModel" },
  model_not_found: { title: "There is no model by this name", icon: "warning", action: "changeModel", second: "tryAgain" },
  context_overflow: { title: "The conversation is too long for this model", icon: "warning", action: "sumUp", second: "changeModel" },
  provider_unreachable: { title: "The model server did not answer", icon: "warning", action: "tryAgain", second: "changeModel" },
  provider_timeout: { title: "The model server did not answer in time", icon: "warning", action: "tryAgain", second: "changeModel" },
  provider_incomplete: { title: "The answer broke off", icon: "warning", action: "tryAgain", second: null },
  provider_malformed: { title: "The answer could not be read", icon: "warning", action: "tryAgain", second: "changeModel" },
  provider_empty: { title: "The model sent no answer", icon: "warning", action: "tryAgain", second: "changeModel" },
  content_filtered: { title: "The model’s provider held the answer back", icon: "warning", action: "tryAgain", second: "changeModel" },
  runtime_interrupted: { title: "Interrupted by a restart", icon: "power", action: "continue", second: null },
  internal: { title: "The turn failed", icon: "warning", action: "tryAgain", second: null },
};

const failureCodes: ReadonlySet<string> = new Set(RUN_FAILURE_CODES);

function isFailureCode(code: string): code is RunFailureCode {
  return failureCodes.has(code);
}

export function outcomeWords(outcome: TurnOutcome): OutcomeWords {
  switch (outcome.kind) {
    case "stopped":
      return quiet("square", stopTitle(outcome.reason, outcome.after_s), stopFact(outcome.reason, outcome.processes, outcome.survivors), "goOn");
    case "failed": {
      const words = FAILURES[isFailureCode(outcome.code) ? outcome.code : "internal"];
      return { ...words, failed: true, fact: outcome.message === "" ? null : outcome.message };
    }
    case "interrupted":
      return quiet("power", `Interrupted by a restart at ${hourWords(outcome.at)}`, "What you see was kept.", "continue");
    case "too_long":
      return {
        icon: "warning",
        failed: true,
        title: "The conversation is too long for this model",
        fact: "Summing it up was not enough. Choose a larger one.",
        action: "changeModel",
        second: "tryAgain",
      };
    case "step_limit":
      return quiet("dots", `Stopped after ${countOf(outcome.steps, "step")}`, "That is the limit for one turn.", "goOn");
    case "no_answer":
      return quiet("wave", "It thought, but wrote no answer", null, "tryAgain");
    case "expired":
      return quiet("clock", "The turn ran out of time", "What you see was kept.", "goOn");
  }
}

function quiet(icon: OutcomeIcon, title: string, fact: string | null, action: OutcomeAction): OutcomeWords {
  return { icon, failed: false, title, fact, action, second: null };
}

const BY_PERSON: ReadonlySet<string> = new Set(["Stopped by the person.", "stopped", "user", ""]);

function stopTitle(reason: string, afterSeconds: number): string {
  return `${BY_PERSON.has(reason) ? "Stopped by you" : "Stopped"} after ${wholeDurationWords(afterSeconds)}`;
}

/** Why it was stopped, where that was not the person's own word, and what became of its processes. */
function stopFact(reason: string, processes: number, survivors: number): string | null {
  const facts = [BY_PERSON.has(reason) ? null : reason, processesFact(processes, survivors)].filter((fact) => fact !== null);
  return facts.length === 0 ? null : facts.join(" ");
}

function processesFact(processes: number, survivors: number): string | null {
  if (processes === 0 && survivors === 0) return null;
  const before = processes === 1 ? "One process was running" : `${countOf(processes, "process", "processes")} were running`;
  if (survivors === 0) return processes === 1 ? `${before}, it is gone.` : `${before}, none is left.`;
  return `${before}, ${survivors === 1 ? "one is" : `${survivors} are`} still there.`;
}
