import { viewOf } from "#client/session-entry";
import { useSession } from "#client/use-session";
import { promptsOf } from "#fold/session-selectors";
import type { RunView } from "#protocol/run-view";
import { ApprovalCard } from "../prompt/approval-card";
import { QuestionCard } from "../prompt/question-card";
import { TurnView } from "../transcript/turn-view";
import { useTurns } from "../transcript/use-turns";
import { useTurnContext } from "./use-turn-context";

interface ChildRunProps {
  readonly sessionId: string;
  /** All its rows, or only what waits for the person: a child's prompt must not wait unseen (B069). */
  readonly show: "rows" | "prompts";
}

const NO_RUNS: readonly RunView[] = [];
/** A helper hands nothing on, and its model is its parent's. */
const PLAN = { onChangeModel: (): void => undefined, renderChild: (): null => null };

/** The run of a helper, inside the turn that handed the work on. Its session is followed like any other. */
export function ChildRun({ sessionId, show }: ChildRunProps) {
  const view = viewOf(useSession(sessionId));
  const runs = view?.runs ?? NO_RUNS;
  const turns = useTurns(runs);
  const context = useTurnContext({ session: { session_id: sessionId }, runs }, PLAN);
  const { actions, answers } = context;
  if (show === "prompts") {
    return promptsOf({ runs }).map((part) =>
      part.type === "approval" ? (
        <ApprovalCard key={part.approval_id} part={part} answer={answers[part.approval_id] ?? null} onChoose={actions.approve} />
      ) : (
        <QuestionCard key={part.clarify_id} part={part} answer={answers[part.clarify_id] ?? null} onAnswer={actions.answer} onLeftOver={actions.keepWords} />
      ),
    );
  }
  return (
    <div className="pb-2 pl-6">
      {turns.map((turn, index) => (
        <TurnView key={turn.run.run_id} turn={turn} newest={index === turns.length - 1} first={index === 0} context={context} />
      ))}
    </div>
  );
}
