import type { SessionView } from "#fold/session-view";
import { activeRun, newestRun, promptsOf } from "#fold/session-selectors";
import { outcomeOf, type TurnOutcome } from "#fold/transcript";
import { useNow } from "../look/use-now";

const SOON_S = 60;

/**
 * Sentences for those who hear the page; the transcript itself is silent, since a log would read each
 * token. A prompt is told once, and again a minute before it runs out.
 */
export function Announcer({ view }: { readonly view: SessionView }) {
  const [prompt] = promptsOf(view);
  const expires = prompt?.expires_at ?? null;
  const now = useNow(expires !== null, 5);
  const soon = expires !== null && expires - now <= SOON_S ? ", one minute is left" : "";
  return (
    <div aria-live="polite" className="sr-only">
      {sentence(view)}
      {soon}
    </div>
  );
}

const ENDED: Readonly<Record<TurnOutcome["kind"], string>> = {
  stopped: "The turn was stopped",
  failed: "The turn failed",
  interrupted: "The turn was cut off",
  too_long: "The turn failed, it grew too long",
  step_limit: "The turn reached its limit",
  no_answer: "The turn brought no answer",
  expired: "The turn ran out of time",
};

function sentence(view: SessionView): string {
  const [prompt] = promptsOf(view);
  if (prompt?.type === "approval") return "An approval waits for you";
  if (prompt?.type === "clarify") return "A question waits for you";
  if (activeRun(view) !== null) return "The agent works";
  const newest = newestRun(view);
  if (newest === null) return "";
  const outcome = outcomeOf(newest);
  return outcome === null ? "The agent has answered" : ENDED[outcome.kind];
}
