/**
 * The goal of a session as a total table state × action (contract 5.6). Durable in the session's
 * row, told by `goal.updated` in the same transaction. Needs no open page: after each completed turn
 * a model judges, and `continue` starts the next turn, until the budget is used.
 */
import type { InStatement } from "@libsql/client";
import { refused, succeeded } from "#protocol/control";
import type { GoalAction, GoalResult, Outcome } from "#protocol/control";
import { parseId } from "#protocol/ids";
import { goalSchema } from "#protocol/session-shapes";
import type { Goal } from "#protocol/session-shapes";
import type { RunView } from "#protocol/run-view";
import { judgeGoal } from "#agent/goal-judge";
import { isGuardFailure, requireThat } from "./guard";
import type { RunHost } from "./run-host";
import type { SessionRow, StoredGoal } from "./session-rows";

export const GOAL_MAX_TURNS = 20;
const GOAL_LIMIT_CHARACTERS = 20_000;
const JUDGE_FAILURES_LIMIT = 3;

type GoalState = "none" | "active" | "paused" | "done";
type Move = "start" | "pause" | "restart" | "clear" | "edit" | "say" | "no_goal";

/** What each action does in each state; cleared counts as none. */
const MOVES: Readonly<Record<GoalState, Readonly<Record<GoalAction, Move>>>> = {
  none: { set: "start", pause: "no_goal", resume: "no_goal", clear: "no_goal", status: "say", edit: "no_goal" },
  active: { set: "start", pause: "pause", resume: "restart", clear: "clear", status: "say", edit: "edit" },
  paused: { set: "start", pause: "say", resume: "restart", clear: "clear", status: "say", edit: "edit" },
  done: { set: "start", pause: "say", resume: "restart", clear: "clear", status: "say", edit: "edit" },
};

export class SessionGoal {
  constructor(
    private readonly host: RunHost,
    private readonly signal: AbortSignal,
  ) {}

  async act(sessionId: string, action: GoalAction, text: string | null): Promise<Outcome<GoalResult>> {
    const session = parseId("ses", sessionId) === null ? null : await this.host.rows.session(sessionId);
    if (session === null) return refused("session_not_found", "There is no session with this id.");
    const words = this.host.redact(session.profile, text?.trim() ?? "");
    if ((action === "set" || action === "edit") && (words === "" || words.length > GOAL_LIMIT_CHARACTERS)) {
      return refused("invalid_request", `A goal needs words, at most ${GOAL_LIMIT_CHARACTERS} characters.`, { issues: [{ path: "text", message: "is empty or too long" }] });
    }
    const goal = session.goal;
    switch (MOVES[stateOf(goal)][action]) {
      case "no_goal":
        return refused("no_goal", "This session has no goal.");
      case "say":
        return succeeded({ goal: shownGoal(goal), message: sentence(goal), started: null });
      case "start":
        return this.start(session, newGoal(words));
      case "pause":
        return this.change(session, { ...required(goal), status: "paused", last_reason: "Paused by you." }, "The goal is paused.");
      case "clear":
        return this.change(session, { ...required(goal), status: "cleared" }, "The goal is cleared.");
      case "edit":
        return this.change(session, { ...required(goal), goal: words }, "The goal has new words.");
      case "restart":
        return this.restart(session, { ...required(goal), status: "active", turns_used: 0, judge_failures: 0, last_reason: null });
    }
  }

  /** A turn that ended other than completed pauses the goal, and says why. */
  async pauseAfter(sessionId: string, reason: string): Promise<void> {
    const session = await this.host.rows.session(sessionId);
    if (session?.goal?.status !== "active") return;
    await this.change(session, { ...session.goal, status: "paused", last_reason: reason }, "");
  }

  /** Judges the last turn and starts the next one where the goal asks for it. Messages of the person come first: the caller has looked. */
  async goOn(sessionId: string): Promise<void> {
    const session = await this.host.rows.session(sessionId);
    if (session?.goal?.status !== "active" || session.active_run_id !== null) return;
    const last = await this.host.rows.lastView(sessionId);
    if (last === null || last.terminal_state === null) return;
    const judged = await this.judge(session, session.goal, last);
    const now = await this.host.rows.session(sessionId);
    // Paused, cleared or edited while the judge thought: what the person did counts.
    if (judged === null || now?.goal?.status !== "active" || now.active_run_id !== null) return;
    await this.settle({ ...now, goal: now.goal }, { ...judged, goal: now.goal.goal });
  }

  private async judge(session: SessionRow, goal: StoredGoal, last: RunView): Promise<StoredGoal | null> {
    const request = (await this.host.rows.run(last.run_id))?.request ?? null;
    const model = request === null ? null : await this.host.dependencies.auxiliary_model(request);
    const turnsUsed = goal.turns_used + 1;
    const verdict =
      model === null || request === null
        ? ({ kind: "failed", message: "The judge's model is not available." } as const)
        : await judgeGoal({ port: model.port, model: request.model, goal: goal.goal, answer: answerText(last), signal: this.signal });
    switch (verdict.kind) {
      case "cancelled":
        return null;
      case "failed": {
        const failures = goal.judge_failures + 1;
        const counted = { ...goal, turns_used: turnsUsed, judge_failures: failures, last_verdict: "continue", last_reason: verdict.message };
        return failures >= JUDGE_FAILURES_LIMIT ? { ...counted, status: "paused", last_reason: `The judge failed ${failures} times: ${verdict.message}` } : counted;
      }
      case "verdict":
        return {
          ...goal,
          turns_used: turnsUsed,
          judge_failures: 0,
          last_verdict: verdict.verdict,
          last_reason: verdict.reason === "" ? null : verdict.reason,
          status: verdict.verdict === "done" ? "done" : "active",
        };
    }
  }

  private async settle(session: SessionRow, goal: StoredGoal): Promise<void> {
    const spent: StoredGoal = goal.status === "active" && goal.turns_used >= goal.max_turns ? { ...goal, status: "paused", last_reason: goal.last_reason ?? "All turns are used." } : goal;
    if (spent.status !== "active") {
      await this.change(session, spent, "");
      return;
    }
    const launched = await this.launch(session, spent, null);
    if (!launched.ok) await this.change(session, launched.error.code === "run_active" || launched.error.code === "draining" ? spent : { ...spent, status: "paused", last_reason: launched.error.message }, "");
  }

  private async start(session: SessionRow, goal: StoredGoal): Promise<Outcome<GoalResult>> {
    const launched = await this.launch(session, goal, goal.goal);
    if (!launched.ok) return launched;
    return succeeded({ goal: shownGoal(goal), message: `The goal is set. It has ${goal.max_turns} turns.`, started: launched.value });
  }

  private async restart(session: SessionRow, goal: StoredGoal): Promise<Outcome<GoalResult>> {
    if (session.active_run_id !== null) return this.change(session, goal, "The goal goes on after this turn.");
    const launched = await this.launch(session, goal, null);
    if (!launched.ok) return launched;
    return succeeded({ goal: shownGoal(goal), message: "The goal goes on.", started: launched.value });
  }

  /** The goal's new state and its turn begin in one transaction. `message` null: a continuation, not the person's words. */
  private async launch(session: SessionRow, goal: StoredGoal, message: string | null) {
    const resolved = await this.host.resolve({ message: message ?? goal.goal, source: "goal" }, session, [], session.session_id);
    if (!resolved.ok) return resolved;
    const request = message === null ? { ...resolved.value, message: null, instruction: continuation(goal) } : resolved.value;
    return this.host.launch({ request, session, before: this.statements(session, goal) });
  }

  private async change(session: SessionRow, goal: StoredGoal, message: string): Promise<Outcome<GoalResult>> {
    try {
      await this.host.dependencies.journal.transact(this.statements(session, goal));
    } catch (cause) {
      if (isGuardFailure(cause)) return refused("conflict", "The goal changed at the same moment. Look again.");
      throw cause;
    }
    return succeeded({ goal: shownGoal(goal), message, started: null });
  }

  private statements(session: SessionRow, goal: StoredGoal): readonly InStatement[] {
    const { journal } = this.host.dependencies;
    return [
      // Only the goal that was read is replaced: two changes at one instant are told apart.
      requireThat("SELECT goal IS ? FROM sessions WHERE session_id = ?", [session.goal === null ? null : JSON.stringify(session.goal), session.session_id]),
      { sql: "UPDATE sessions SET goal = ? WHERE session_id = ?", args: [JSON.stringify(goal), session.session_id] },
      ...journal.sessionLogStatements(session.session_id, {
        type: "goal.updated",
        payload: {
          goal: goal.goal,
          status: goal.status,
          turns_used: goal.turns_used,
          max_turns: goal.max_turns,
          ...(goal.last_verdict === null ? {} : { verdict: goal.last_verdict }),
          ...(goal.last_reason === null ? {} : { reason: goal.last_reason }),
        },
      }),
    ];
  }
}

/** The goal as people see it; cleared is none. */
export function shownGoal(goal: StoredGoal | null): Goal | null {
  if (goal === null || goal.status === "cleared") return null;
  return goalSchema.parse(goal);
}

function stateOf(goal: StoredGoal | null): GoalState {
  return goal === null || goal.status === "cleared" ? "none" : goal.status;
}

function newGoal(text: string): StoredGoal {
  return { goal: text, status: "active", turns_used: 0, max_turns: GOAL_MAX_TURNS, last_verdict: null, last_reason: null, judge_failures: 0 };
}

function required(goal: StoredGoal | null): StoredGoal {
  if (goal === null) throw new Error("The table lets only sessions with a goal come here.");
  return goal;
}

function sentence(goal: StoredGoal | null): string {
  if (goal === null || goal.status === "cleared") return "This session has no goal.";
  return `The goal is ${goal.status}, turn ${goal.turns_used} of ${goal.max_turns}.`;
}

function continuation(goal: StoredGoal): string {
  return [`[Continuing toward the goal, turn ${goal.turns_used + 1} of ${goal.max_turns}]`, `Goal: ${goal.goal}`, goal.last_reason === null ? "" : `What is missing: ${goal.last_reason}`, "Go on with the next step. Do not repeat what is done."]
    .filter((line) => line !== "")
    .join("\n");
}

function answerText(view: RunView): string {
  return view.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
