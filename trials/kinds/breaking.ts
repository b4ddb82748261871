/** What a restart does to people: stale runs, an owner within the web process, no supervisor, nothing left at all. */
import { until } from "#testing/until";
import type { Trial, TrialKind } from "../trial";
import { beginAndReach, finish, replace } from "./killing";

export const BREAKING_KINDS: readonly TrialKind[] = [
  { name: "interrupted stale", stand: () => ({ env: { HERMES_RUN_RECOVERY: "off" } }), holdsPrompts: () => true, play: interruptedStale },
  { name: "legacy web killed", stand: (random) => ({ adapter: random.pick(["legacy-direct", "legacy-journal"] as const) }), holdsPrompts: (random) => random.chance(0.6), play: legacyWebKilled },
  { name: "supervisor killed", holdsPrompts: (random) => random.chance(0.4), play: supervisorKilled },
  { name: "all killed", holdsPrompts: (random) => random.chance(0.6), play: allKilled },
];

/** Without recovery every run of a dead owner is over: the stale tab learns it, late controls say so, Continue works. */
async function interruptedStale(trial: Trial): Promise<void> {
  trial.mayInterrupt = "all";
  const turn = await beginAndReach(trial);
  const { stream_id: runId, session_id } = turn.started;
  const before = await trial.product.status(runId);
  await replace(trial, trial.random.chance(0.5) ? ["runner"] : ["runner", "web"], "SIGKILL");
  await trial.ended(turn);
  const view = turn.observer.viewOf(runId);
  if (view?.terminal_state !== "interrupted") return trial.tell(`it had ended as ${String(view?.terminal_state)}`);
  trial.check(view.error?.code === "runtime_interrupted" && view.error.diagnostics["process"] === "runner", `2.3: it does not say what happened: ${JSON.stringify(view.error)}`);
  const cancel = await trial.product.cancel(runId);
  trial.check(cancel.status === 200 && JSON.stringify(cancel.body).includes("not-active"), `5.2.6: a late cancel answered ${JSON.stringify(cancel)}`);
  if (before.pending_approval_id !== null) {
    const answer = await trial.product.ask("POST", "/api/approval/respond", { session_id, approval_id: before.pending_approval_id, choice: "once" });
    trial.check(answer.status === 409, `5.2.6: a late answer got ${answer.status}`);
  }
  const next = await trial.product.start({ session_id, message: "say I go on.", continues: runId });
  const tab = trial.watch({ kind: "run", id: next.stream_id });
  await until(() => tab.viewOf(next.stream_id)?.terminal_state != null, 60_000);
  trial.check(tab.viewOf(next.stream_id)?.continues === runId && tab.viewOf(next.stream_id)?.terminal_state === "completed", "5.2.2: Continue did not work");
}

async function legacyWebKilled(trial: Trial): Promise<void> {
  trial.mayInterrupt = "working";
  const turn = await beginAndReach(trial);
  await replace(trial, ["web"], trial.random.chance(0.7) ? "SIGKILL" : "SIGTERM");
  await finish(trial, turn);
}

/** Web process and runner stay, the run goes on; the next start takes the runner over. Either may die meanwhile, unnoticed. */
async function supervisorKilled(trial: Trial): Promise<void> {
  const turn = await beginAndReach(trial);
  const runner = trial.stand.pidOf("runner");
  trial.stand.signal("supervisor", "SIGKILL");
  trial.tell("killed the supervisor");
  const alsoDies = trial.random.pick(["nobody", "nobody", "web", "runner"] as const);
  if (alsoDies !== "nobody") {
    if (alsoDies === "runner") trial.mayInterrupt = "working";
    trial.stand.signal(alsoDies, "SIGKILL");
    trial.tell(`killed the ${alsoDies}, too`);
  } else {
    await trial.reached(turn, turn.observer.events.length + trial.random.between(1, 10));
  }
  await trial.stand.start();
  if (alsoDies !== "runner") trial.check(trial.stand.pidOf("runner") === runner, "4.3: the next start did not take the runner over");
  await finish(trial, turn);
}

/** As by a power cut: nothing is told, nobody is left to tidy up. */
async function allKilled(trial: Trial): Promise<void> {
  trial.mayInterrupt = "working";
  const turn = await beginAndReach(trial);
  for (const name of ["supervisor", "runner", "web"] as const) trial.stand.signal(name, "SIGKILL");
  trial.tell("killed everything");
  await trial.stand.start();
  await finish(trial, turn);
}
