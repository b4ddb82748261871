/** Nobody dies: runs are read again, from anywhere, in pieces, late, and while they wait. */
import { setTimeout as pause } from "node:timers/promises";
import { openPrompts } from "#fold/open-work";
import { until } from "#testing/until";
import type { Observer } from "../observer";
import { anyAdapter } from "../stand";
import { RUN_WITHIN_MS, type Trial, type TrialKind, type Turn } from "../trial";

export const READING_KINDS: readonly TrialKind[] = [
  { name: "completed replay", stand: anyAdapter, play: completedReplay },
  { name: "fresh pending", holdsPrompts: () => true, play: freshPending },
  { name: "reconnect ordering", stand: anyAdapter, play: reconnectOrdering },
];

/** A run that is over: whole from the start, the rest from any cursor, nothing from its end. */
async function completedReplay(trial: Trial): Promise<void> {
  const turn = await trial.turn(trial.storyteller.tell());
  await trial.ended(turn);
  const { events } = turn.observer;
  const state = await trial.product.status(turn.started.stream_id);
  trial.check(state.terminal_state === "completed" && state.last_seq === events.length, `2.4: the status says ${JSON.stringify(state)} after ${events.length} events`);
  for (let tries = 0; tries < 5; tries += 1) {
    const from = trial.random.between(0, events.length - 1);
    const ids = await readIds(trial, turn, from === 0 ? 0 : from);
    trial.check(ids.join() === events.slice(from).map((event) => event.event_id).join(), `2.4: from ${from} of ${events.length} came ${ids.length} events, the first ${ids[0]}`);
  }
  const atEnd = await trial.product.ask("GET", `/api/chat/stream?stream_id=${turn.started.stream_id}&after_seq=${events.length}`);
  trial.check(atEnd.status === 204, `2.4: from its end a run's stream answers ${atEnd.status}`);
}

async function readIds(trial: Trial, { started }: Turn, afterSeq: number): Promise<readonly string[]> {
  const response = await fetch(`${trial.stand.url}/api/chat/stream?stream_id=${started.stream_id}&after_seq=${afterSeq}`, { signal: AbortSignal.timeout(20_000) });
  return (await response.text()).split("\n").flatMap((line) => (line.startsWith("id: ") ? [line.slice(4)] : []));
}

/** The message is there when the start is answered; a prompt has one id for everybody, for as long as it waits. */
async function freshPending(trial: Trial): Promise<void> {
  const turn = await trial.turn(trial.storyteller.tell({ prompts: true, acts: 1 }));
  const { stream_id: runId, session_id: sessionId } = turn.started;
  const opened = await trial.product.session(sessionId);
  const shown = opened.runs.find((run) => run.run_id === runId);
  trial.check(shown?.message?.text === turn.story.script && opened.active_run_id === runId, "3.1: right after the start the session does not show the message");
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await trial.reached(turn, Number.POSITIVE_INFINITY);
    const view = turn.observer.viewOf(runId);
    if (view === null || view.terminal_state !== null) return;
    await samePromptEverywhere(trial, turn);
    if (trial.random.chance(0.5)) {
      const pid = trial.stand.signal("web", "SIGKILL");
      trial.tell("killed the web process");
      await trial.stand.replaced("web", pid);
      await samePromptEverywhere(trial, turn);
    }
    const asked = openPrompts(view);
    await trial.person.answerOpen();
    await until(() => openPrompts(turn.observer.viewOf(runId) ?? view).every((prompt) => !asked.some((before) => before.tool_call_id === prompt.tool_call_id)), RUN_WITHIN_MS);
  }
}

async function samePromptEverywhere(trial: Trial, { observer, started }: Turn): Promise<void> {
  const view = observer.viewOf(started.stream_id);
  const ids = view === null ? [] : openPrompts(view).map((prompt) => (prompt.type === "approval" ? prompt.approval_id : prompt.clarify_id));
  const state = await trial.product.status(started.stream_id);
  const approval = await trial.product.pendingApproval(started.session_id);
  const clarify = await trial.product.pendingClarify(started.session_id);
  const { pending } = await trial.product.session(started.session_id);
  const told = [
    [state.pending_approval_id, state.pending_clarify_id],
    [approval.pending?.approval_id ?? null, clarify.pending?.clarify_id ?? null],
    [pending.approval?.approval_id ?? null, pending.clarify?.clarify_id ?? null],
  ].map((pair) => pair.join());
  trial.check(new Set(told).size === 1, `5.3: the prompt is told in different ways: ${told.join(" / ")}`);
  trial.check(approval.pending_count + clarify.pending_count === ids.length, `5.3: ${ids.length} prompts wait, ${approval.pending_count} + ${clarify.pending_count} are told`);
  trial.check(ids.every((id) => id === approval.pending?.approval_id || id === clarify.pending?.clarify_id || ids.length > 1), `5.3: shown is ${ids.join()}, told ${told.join(" / ")}`);
}

/** Tabs whose connections break again and again, and tabs that come in the middle, all see one rising story. */
async function reconnectOrdering(trial: Trial): Promise<void> {
  const turn = await trial.turn(trial.storyteller.tell({ prompts: trial.random.chance(0.5), acts: 6 }));
  const { stream_id: runId, session_id: sessionId } = turn.started;
  const tabs = [turn.observer, trial.watch({ kind: "run", id: runId }), trial.watch({ kind: "session", id: sessionId })];
  const late: Observer[] = [];
  const isOver = (): boolean => tabs.every((tab) => tab.viewOf(runId)?.terminal_state != null);
  const end = performance.now() + RUN_WITHIN_MS;
  while (!isOver() && performance.now() < end) {
    trial.random.pick(tabs).cut();
    if (late.length < 5 && trial.random.chance(0.2)) late.push(trial.watch({ kind: "run", id: runId }));
    await pause(trial.random.between(5, 250));
  }
  await until(isOver, 20_000);
  await until(() => late.every((tab) => tab.viewOf(runId)?.terminal_state != null), 20_000);
  trial.tell(`connections: ${tabs.map((tab) => tab.connections).join()}`);
}
