/** A process dies at a random event of a run, by force or by request. */
import { until } from "#testing/until";
import type { ProcessName } from "#config/pid-file";
import { RUN_WITHIN_MS, type Trial, type TrialKind, type Turn } from "../trial";

export const KILLING_KINDS: readonly TrialKind[] = [
  { name: "web killed", holdsPrompts: (random) => random.chance(0.5), play: (trial) => webDies(trial, "SIGKILL") },
  { name: "web terminated", holdsPrompts: (random) => random.chance(0.5), play: (trial) => webDies(trial, "SIGTERM") },
  { name: "runner killed", holdsPrompts: (random) => random.chance(0.6), play: runnerKilled },
  { name: "runner terminated", holdsPrompts: (random) => random.chance(0.5), play: runnerTerminated },
  { name: "both killed", holdsPrompts: (random) => random.chance(0.6), play: bothKilled },
];

/** The execution outlives the web process: same run, no gap, no repetition, prompts open, cancel works. */
async function webDies(trial: Trial, signal: NodeJS.Signals): Promise<void> {
  const turn = await beginAndReach(trial);
  for (let times = trial.random.between(1, 2); times > 0; times -= 1) {
    const pid = trial.stand.signal("web", signal);
    trial.tell(`web process ${signal}`);
    await trial.stand.replaced("web", pid);
    if (times > 1) await trial.reached(turn, turn.observer.events.length + trial.random.between(1, 20));
  }
  await finish(trial, turn);
}

async function runnerKilled(trial: Trial): Promise<void> {
  trial.mayInterrupt = "working";
  const turn = await beginAndReach(trial);
  // Starts that are on their way when it dies: each happens once, whatever became of its answer.
  const underWay = Array.from({ length: trial.random.pick([0, 0, 1, 3]) }, () => trial.turn(trial.storyteller.tell({ acts: 1 })));
  await replace(trial, ["runner"], "SIGKILL");
  // Once more, possibly while the new one takes over what the first has left.
  if (trial.random.chance(0.3)) await replace(trial, ["runner"], "SIGKILL");
  // These may wait for a person, too.
  if (underWay.length > 0) trial.person.release();
  for (const other of underWay) await trial.ended(await other);
  await finish(trial, turn);
}

/** Drained: what runs has half a minute, what waits for a person waits on with the next runner. */
async function runnerTerminated(trial: Trial): Promise<void> {
  trial.mayInterrupt = "working";
  const turn = await beginAndReach(trial);
  const begun = performance.now();
  await replace(trial, ["runner"], "SIGTERM");
  trial.check(performance.now() - begun < 60_000, "5.2.3: a drain took more than a minute");
  await finish(trial, turn);
}

async function bothKilled(trial: Trial): Promise<void> {
  trial.mayInterrupt = "working";
  const turn = await beginAndReach(trial);
  await replace(trial, trial.random.chance(0.5) ? ["runner", "web"] : ["web", "runner"], "SIGKILL");
  await finish(trial, turn);
}

/** A run with everything in it, seen up to a random event of its life. */
export async function beginAndReach(trial: Trial): Promise<Turn> {
  const story = trial.storyteller.tell({ prompts: true });
  const turn = await trial.turn(story);
  if (trial.random.chance(0.5)) trial.watch({ kind: "session", id: turn.started.session_id });
  await trial.reached(turn, trial.random.between(1, story.events));
  return turn;
}

/** All at one moment; answers when each has a successor. */
export async function replace(trial: Trial, names: readonly ProcessName[], signal: NodeJS.Signals): Promise<void> {
  const pids = names.map((name) => ({ name, pid: trial.stand.signal(name, signal) }));
  trial.tell(`${names.join(" and ")} ${signal}`);
  for (const { name, pid } of pids) await trial.stand.replaced(name, pid);
}

/** The run goes on to its end, or is stopped; its prompts are answered from now on. */
export async function finish(trial: Trial, turn: Turn): Promise<void> {
  const { stream_id: runId } = turn.started;
  if (trial.random.chance(0.2)) {
    const answer = await trial.product.cancel(runId);
    trial.tell(`cancel: ${answer.status} ${JSON.stringify(answer.body)}`);
    trial.check(answer.status === 200, `5.2.1: cancel after a restart answered ${answer.status}`);
  }
  trial.person.release();
  await trial.ended(turn);
  const state = await trial.product.status(runId);
  trial.check(state.terminal_state === turn.observer.viewOf(runId)?.terminal_state, `2.3: the status says ${String(state.terminal_state)}`);
  const tabs = trial.observers.filter(({ target }) => target.id === runId || target.id === turn.started.session_id);
  await until(() => tabs.every((tab) => tab.viewOf(runId)?.terminal_state != null), RUN_WITHIN_MS);
}
