/**
 * One random story: starts, tokens, tools, prompts, cancels, answers, duplicates, queue, steer, yolo,
 * observers that come and go and a clock that goes on by a minute at once, against the real host and a
 * real database with a scripted model.
 * A seed repeats the schedule; the story is kept as lines so that a failing seed can be read.
 */
import { openPrompts } from "#fold/open-work";
import type { ModelPart, ModelPort } from "#agent/model/model-port";
import { eventIdsOf } from "#testing/frames";
import type { SeededRandom } from "#testing/seeded-random";
import type { TestHost } from "#testing/test-host";

/** Also on a machine that is busy with other tests. */
const FINISH_WITHIN_MS = 30_000;

/** How long a story's prompts wait. */
export const PROMPTS_EXPIRE_S = 30;

export interface StoryInput {
  readonly host: TestHost;
  readonly random: SeededRandom;
  readonly steps: number;
  /** Lets so many milliseconds pass at once, with everything that falls due in them. */
  readonly goOnBy: (milliseconds: number) => Promise<void>;
  readonly tell: (line: string) => void;
}

/** Text, thinking, calls that run, ask, or are unknown, and failures: whatever a model may send. */
export function createRandomPort(random: SeededRandom): ModelPort {
  return {
    provider: "scripted",
    stream: async function* (_request, signal) {
      for (let index = random.between(0, 5); index > 0; index -= 1) {
        yield random.chance(0.2) ? { type: "reasoning", text: "hm " } : { type: "text", text: `w${index} ` };
        if (random.chance(0.3)) await pause(random.between(0, 6), signal);
        if (signal.aborted) return yield aborted();
      }
      if (random.chance(0.1)) return yield failure();
      const calls = random.chance(0.5) ? random.between(1, 3) : 0;
      for (let index = 0; index < calls; index += 1) yield randomCall(random);
      yield { type: "usage", usage: { input_tokens: 10, output_tokens: 2, reasoning_tokens: null, cache_read_tokens: null, cache_write_tokens: null } };
      yield { type: "finish", reason: calls > 0 ? "tool_calls" : "stop" };
    },
  };
}

export async function playStory(input: StoryInput): Promise<void> {
  const { host, random, tell } = input;
  const sessions: string[] = [];
  const answered: { readonly run_id: string; readonly id: string }[] = [];
  const observers: Promise<void>[] = [];
  const actions: readonly (() => Promise<string>)[] = [
    async () => {
      const session = random.chance(0.4) && sessions.length > 0 ? random.pick(sessions) : null;
      const started = await host.host.start({ session_id: session, message: "go" });
      if (started.ok && session === null) sessions.push(started.value.session_id);
      return `start ${started.ok ? started.value.run_id : started.error.code}`;
    },
    async () => {
      if (sessions.length === 0) return "nothing to queue in";
      const mode = random.pick(["queue", "queue", "steer", "interrupt"] as const);
      const queued = await host.controls.queueMessage(random.pick(sessions), { message: mode, mode });
      return `${mode} ${queued.ok ? queued.value.status : queued.error.code}`;
    },
    async () => {
      const run = host.host.liveRuns()[random.between(0, 3)];
      if (run === undefined) return "nothing to cancel";
      const results = await Promise.all(Array.from({ length: random.between(1, 3) }, () => host.host.cancel(run.run_id, "Stopped.")));
      const accepted = results.filter((result) => result.ok && result.value.accepted).length;
      if (accepted > 1) throw new Error(`H4 ${run.run_id}: ${accepted} cancels were accepted`);
      return `cancel ${run.run_id} ${accepted}`;
    },
    () => answerSomething(host, random, answered),
    () => answerSomething(host, random, answered),
    async () => {
      const late = answered.length === 0 ? null : random.pick(answered);
      if (late === null) return "nothing to answer late";
      const result = await host.host.respondApproval(late.run_id, late.id, "once");
      if (result.ok && result.value.accepted) throw new Error(`H3 ${late.run_id}: a second answer was accepted`);
      return `late answer ${late.id}`;
    },
    async () => {
      if (sessions.length === 0) return "nobody to allow";
      const enabled = random.chance(0.5);
      await host.controls.setYolo(random.pick(sessions), enabled);
      return `yolo ${String(enabled)}`;
    },
    async () => {
      const run = host.host.liveRuns()[0];
      if (run === undefined) return "nothing to watch";
      observers.push(watch(host, run.run_id, random.between(0, 6), random.between(5, 60)));
      return `watch ${run.run_id}`;
    },
    async () => {
      if (sessions.length === 0) return "nothing held";
      await host.controls.resumeQueue(random.pick(sessions));
      return "resume";
    },
    async () => {
      await pause(random.between(1, 25), null);
      return "wait";
    },
    async () => {
      const seconds = random.pick([1, 5, PROMPTS_EXPIRE_S + 1]);
      await input.goOnBy(seconds * 1000);
      return `the clock goes on by ${seconds} s`;
    },
  ];
  for (let step = 0; step < input.steps; step += 1) {
    tell(await random.pick(actions)());
    await atMostOneActive(host);
  }
  await Promise.all(observers);
  await finish(host, sessions);
}

async function answerSomething(host: TestHost, random: SeededRandom, answered: { run_id: string; id: string }[]): Promise<string> {
  for (const run of host.host.liveRuns()) {
    const prompt = openPrompts(run.view())[random.between(0, 1)];
    if (prompt === undefined) continue;
    if (prompt.type === "clarify") {
      await host.host.respondClarify(run.run_id, prompt.clarify_id, { response: "left" });
      return `answer ${prompt.clarify_id}`;
    }
    const choice = random.pick(prompt.choices);
    const results = await Promise.all(Array.from({ length: random.between(1, 3) }, () => host.host.respondApproval(run.run_id, prompt.approval_id, choice)));
    const accepted = results.filter((result) => result.ok && result.value.accepted).length;
    if (accepted > 1) throw new Error(`H3 ${run.run_id}: ${accepted} answers were accepted`);
    answered.push({ run_id: run.run_id, id: prompt.approval_id });
    return `${choice} ${prompt.approval_id}`;
  }
  return "nothing to answer";
}

/** J1, C3: an observer that attaches anywhere sees a rising story without gap, until it goes away. */
async function watch(host: TestHost, runId: string, afterSeq: number, forMs: number): Promise<void> {
  const resolved = await host.journal.resolveRunCursor(runId, afterSeq === 0 ? null : `${runId}:${afterSeq}`);
  if (resolved === null || (resolved.kind === "at" && resolved.finished)) return;
  const position = resolved.kind === "at" ? resolved.position : 0;
  let next = resolved.kind === "at" && afterSeq > 0 ? afterSeq + 1 : 1;
  for await (const chunk of host.journal.tailRun(runId, position, AbortSignal.timeout(forMs))) {
    for (const id of eventIdsOf(chunk.text)) {
      if (id !== `${runId}:${next}`) throw new Error(`J1 ${runId}: an observer saw ${id} in place of ${next}`);
      next += 1;
    }
  }
}

async function atMostOneActive(host: TestHost): Promise<void> {
  const busy = host.host.liveRuns().filter((run) => run.view().terminal_state === null).map((run) => run.request.session_id);
  if (new Set(busy).size !== busy.length) throw new Error("H1: a session has two active runs");
}

/** Everything that is under way is stopped or answered until nothing is left to do. */
async function finish(host: TestHost, sessions: readonly string[]): Promise<void> {
  for (const session of sessions) await host.controls.setYolo(session, true);
  const end = performance.now() + FINISH_WITHIN_MS;
  for (let round = 0; performance.now() < end; round += 1) {
    const runs = host.host.liveRuns();
    if (runs.length === 0 && (await host.host.rows.sessionsToContinue()).length === 0) return;
    for (const run of runs) {
      for (const prompt of openPrompts(run.view())) {
        if (prompt.type === "clarify") await host.host.respondClarify(run.run_id, prompt.clarify_id, { response: "left" });
        else await host.host.respondApproval(run.run_id, prompt.approval_id, "deny");
      }
    }
    if (round > 40) await Promise.all(runs.map((run) => host.host.cancel(run.run_id, "The story ends.")));
    await pause(20, null);
  }
  throw new Error("H2: the story did not end");
}

function randomCall(random: SeededRandom): ModelPart {
  const call = random.pick([
    { name: "terminal", arguments: { command: "echo hello" } },
    { name: "terminal", arguments: { command: "rm -r nothing-here" } },
    { name: "todo", arguments: { items: [{ id: "1", text: "go", status: "pending" }] } },
    { name: "clarify", arguments: { question: "Which?", choices: ["left", "right"] } },
    { name: "read_file", arguments: { path: "missing.txt" } },
    { name: "nope", arguments: {} },
  ] as const);
  const provider = random.chance(0.5) ? "call_0" : null;
  return { type: "tool-call", provider_call_id: provider, ...call, raw: JSON.stringify(call.arguments) };
}

function failure(): ModelPart {
  return { type: "failure", code: "provider_incomplete", message: "The stream was cut.", diagnostics: {}, retryable: true, aborted: false, retry_after_s: null };
}

function aborted(): ModelPart {
  return { type: "failure", code: "provider_incomplete", message: "Stopped.", diagnostics: {}, retryable: false, aborted: true, retry_after_s: null };
}

function pause(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
