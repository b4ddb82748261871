/** Requests that come twice, and turns that follow each other: each thing once, each under its own name. */
import { z } from "zod";
import { until } from "#testing/until";
import { foldRun } from "#fold/fold-run";
import { openPrompts } from "#fold/open-work";
import { anyAdapter } from "../stand";
import { RUN_WITHIN_MS, type Trial, type TrialKind, type Turn } from "../trial";

export const LINKING_KINDS: readonly TrialKind[] = [
  { name: "duplicate merge", stand: anyAdapter, holdsPrompts: () => true, play: duplicateMerge },
  { name: "stream-turn linking", stand: anyAdapter, play: streamTurnLinking },
];

const activeSchema = z.object({ error: z.object({ code: z.literal("run_active"), active_stream_id: z.string() }) });
const startSchema = z.object({ stream_id: z.string(), turn_id: z.string() });
const cancelSchema = z.object({ cancelled: z.boolean() });

async function duplicateMerge(trial: Trial): Promise<void> {
  const turn = await sameStartTwice(trial);
  await twoStartsAtOnce(trial);
  for (let prompts = 0; prompts < 12; prompts += 1) {
    await trial.reached(turn, Number.POSITIVE_INFINITY);
    if (turn.observer.viewOf(turn.started.stream_id)?.terminal_state !== null) break;
    await answerThrice(trial, turn);
  }
  await cancelThrice(trial);
  overlapChangesNothing(trial, turn);
}

async function sameStartTwice(trial: Trial): Promise<Turn> {
  const story = trial.storyteller.tell({ prompts: true, acts: 2 });
  const request = { message: story.script, client_message_id: trial.product.newKey() };
  const answers = await Promise.all([1, 2, 3].map(() => trial.product.ask("POST", "/api/chat/start", request)));
  const told = new Set(answers.map((answer) => JSON.stringify(answer.body)));
  trial.check(told.size === 1, `3: the same start was answered in different ways: ${[...told].join(" / ")}`);
  const started = await trial.product.start(request);
  return { started, story, observer: trial.watch({ kind: "run", id: started.stream_id }) };
}

/** Two starts in one session at one instant: exactly one wins, the other is told which. */
async function twoStartsAtOnce(trial: Trial): Promise<void> {
  const first = await trial.turn({ script: "say A session.", ending: "A session.", events: 4 });
  await trial.ended(first);
  const { session_id } = first.started;
  const answers = await Promise.all([1, 2].map((number) => trial.product.ask("POST", "/api/chat/start", { session_id, message: `stream 30 20\nsay Number ${number}.`, client_message_id: trial.product.newKey() })));
  const won = answers.flatMap((answer) => (answer.status === 200 ? [startSchema.parse(answer.body)] : []));
  const lost = answers.flatMap((answer) => (answer.status === 409 ? [activeSchema.parse(answer.body)] : []));
  trial.check(won.length === 1 && lost.length === 1, `3.1: two starts at once were answered ${answers.map((answer) => answer.status).join()}`);
  trial.check(lost[0]?.error.active_stream_id === won[0]?.stream_id, "3.1: the refused start names another run");
  for (const { stream_id } of won) trial.watch({ kind: "run", id: stream_id });
}

async function answerThrice(trial: Trial, { observer, started }: Turn): Promise<void> {
  const view = observer.viewOf(started.stream_id);
  const prompt = view === null ? undefined : openPrompts(view)[0];
  if (prompt === undefined) return;
  const { session_id } = started;
  const asked = Array.from({ length: 3 }, () =>
    prompt.type === "approval"
      ? trial.product.ask("POST", "/api/approval/respond", { session_id, approval_id: prompt.approval_id, choice: "once" })
      : trial.product.ask("POST", "/api/clarify/respond", { session_id, clarify_id: prompt.clarify_id, response: "red" }),
  );
  const statuses = (await Promise.all(asked)).map((answer) => answer.status).toSorted((one, other) => one - other);
  trial.check(statuses.join() === "200,409,409", `H3: one prompt answered three times: ${statuses.join()}`);
  await until(() => observer.viewOf(started.stream_id)?.parts.some((part) => part.type === prompt.type && part.status !== "pending" && "tool_call_id" in part && part.tool_call_id === prompt.tool_call_id) === true, RUN_WITHIN_MS);
}

async function cancelThrice(trial: Trial): Promise<void> {
  const turn = await trial.turn({ script: "stream 2000 20", ending: "", events: 100 });
  await trial.reached(turn, trial.random.between(1, 20));
  const answers = await Promise.all([1, 2, 3].map(() => trial.product.cancel(turn.started.stream_id)));
  const began = answers.filter((answer) => cancelSchema.parse(answer.body).cancelled).length;
  trial.check(began === 1, `H4: ${began} of three cancels began it`);
  await trial.ended(turn);
  trial.check(turn.observer.viewOf(turn.started.stream_id)?.terminal_state === "cancelled", "H4: the cancelled run ended otherwise");
}

/** C2: what was seen already, shown once more, gives back the same view. */
function overlapChangesNothing(trial: Trial, { observer, started }: Turn): void {
  const view = observer.viewOf(started.stream_id);
  for (const event of observer.events) trial.check(foldRun(view, event) === view, `C2 ${event.event_id}: shown again it changed the view`);
}

/** Turns by start, queue, steer and interrupt in one session: each stream is its turn's, in the order asked for. */
async function streamTurnLinking(trial: Trial): Promise<void> {
  const first = await trial.turn({ script: `say First.\nstream 60 25\nrun sleep 0.4\n\nsay First ends.`, ending: "First ends.", events: 60 });
  const { session_id } = first.started;
  const tab = trial.watch({ kind: "session", id: session_id });
  const queued = Array.from({ length: trial.random.between(1, 3) }, (_, index) => `say Queued ${index}.\nstream 10 20`);
  for (const message of queued) await trial.product.queue(session_id, message, "queue");
  const interrupts = trial.random.chance(0.4);
  if (interrupts) await trial.product.queue(session_id, "say Interrupting.", "interrupt");
  else if (trial.random.chance(0.5)) await trial.product.queue(session_id, "Mind the gap.", "steer");
  const wanted = [first.story.script, ...(interrupts ? ["say Interrupting."] : []), ...queued];
  await until(() => endedTurns(tab) >= wanted.length, RUN_WITHIN_MS).catch(() => undefined);
  const views = [...tab.views.values()].filter((view) => view.source !== "steer");
  trial.check(JSON.stringify(views.map((view) => view.message?.text)) === JSON.stringify(wanted), `5.5: the turns were ${JSON.stringify(views.map((view) => view.message?.text))}`);
  const listed = await trial.product.runs(session_id);
  trial.check(JSON.stringify(listed.map((run) => run.run_id).toReversed()) === JSON.stringify([...tab.views.keys()]), "3.1: the list of runs has another order than the session's stream");
  trial.check(new Set([...tab.views.values()].map((view) => view.turn_id)).size === tab.views.size, "3.1: two runs have one turn id");
  trial.check(tab.viewOf(first.started.stream_id)?.turn_id === first.started.turn_id, "3.1: the stream is of another turn than the start said");
}

function endedTurns({ views }: { readonly views: ReadonlyMap<string, { readonly terminal_state: string | null; readonly source: string }> }): number {
  return [...views.values()].filter((view) => view.terminal_state !== null && view.source !== "steer").length;
}
