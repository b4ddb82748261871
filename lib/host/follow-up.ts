/**
 * What a run's end means for its session. Before anybody can see an end after which nothing goes on
 * by itself, the queue is held and the goal paused: a message that comes right after it joins the held
 * ones, and an owner that dies right after it has held them. After an end, in this order: steers that
 * were not read become turns, a title is wished for, the queue goes on (or is held), the goal is judged.
 * Everything is decided from rows and views, so recovery calls the same functions for sessions whose
 * owner died in between.
 */
import type { RunView } from "#protocol/run-view";
import { modelTitle } from "#agent/title";
import { SessionGoal } from "./goal";
import { isGuardFailure, requireThat } from "./guard";
import type { EndReason, LiveRun } from "./live-run";
import { SessionQueue } from "./queue";
import type { RunFollowUp, RunHost } from "./run-host";
import { KeyedSerial } from "./serial";
import { Slots } from "./slots";

/** When many runs end together their titles wait, and not the words of those that go on. */
const TITLES_AT_ONCE = 4;

type NextMove = "go_on" | "hold_stopped" | "hold_failed";

const NEXT: Readonly<Record<EndReason, NextMove>> = {
  completed: "go_on",
  interrupt: "go_on",
  cancelled: "hold_stopped",
  failed: "hold_failed",
  interrupted: "hold_failed",
};

const PAUSE_REASON: Readonly<Record<Exclude<EndReason, "completed">, string>> = {
  interrupt: "Paused: you interrupted the turn.",
  cancelled: "Paused: you stopped the turn.",
  failed: "Paused: the turn failed.",
  interrupted: "Paused: the turn was cut off.",
};

/** What was done about a session before a run's end could be seen: what the person lets go on after it stays so. */
interface Stopped {
  readonly reason: EndReason;
  readonly held: boolean;
}

export class FollowUp implements RunFollowUp {
  readonly serial = new KeyedSerial();
  private readonly closing = new AbortController();
  /** Between a run's end and what follows it, by session. */
  private readonly stopped = new Map<string, Stopped>();
  private readonly titles = new Slots(TITLES_AT_ONCE);
  private readonly wishes = new Set<Promise<void>>();

  queue(host: RunHost): SessionQueue {
    return new SessionQueue(host);
  }

  goal(host: RunHost): SessionGoal {
    return new SessionGoal(host, this.closing.signal);
  }

  async endRun(host: RunHost, sessionId: string, reason: () => EndReason, close: () => Promise<void>): Promise<void> {
    await this.serial.run(sessionId, async () => {
      try {
        const why = reason();
        this.stopped.set(sessionId, { reason: why, held: await this.stopSession(host, sessionId, why, null) });
      } catch (cause) {
        // The end itself comes all the same; the session is looked after once more behind it.
        host.dependencies.logger.warn({ session_id: sessionId, cause: String(cause) }, "what waits could not be held before a run's end");
      }
      await close();
    });
  }

  async afterRun(host: RunHost, run: LiveRun, reason: EndReason): Promise<void> {
    const sessionId = run.request.session_id;
    await this.serial.run(sessionId, () => this.queue(host).settleSteers(run.view()));
    if (reason === "completed") this.wishTitle(host, run.view());
    await this.settle(host, sessionId, reason);
  }

  /** After a run ended for `reason`: also for runs that another process left behind. */
  async settle(host: RunHost, sessionId: string, reason: EndReason): Promise<void> {
    const before = this.stopped.get(sessionId);
    this.stopped.delete(sessionId);
    await this.serial.run(sessionId, () => this.stopSession(host, sessionId, reason, before?.reason === reason ? before : null));
    if (NEXT[reason] === "go_on") await this.goOn(host, sessionId);
  }

  /** What must not go on by itself after such an end; true when the queue is held. What was done `before` is not done again. */
  private async stopSession(host: RunHost, sessionId: string, reason: EndReason, before: Stopped | null): Promise<boolean> {
    if (before === null && reason !== "completed") await this.goal(host).pauseAfter(sessionId, PAUSE_REASON[reason]);
    const move = NEXT[reason];
    if (move === "go_on" || before?.held === true) return before?.held ?? false;
    return this.queue(host).hold(sessionId, move === "hold_stopped" ? "stopped" : "failed");
  }

  /** A background process ended after its run: its report becomes a turn. */
  report(host: RunHost, sessionId: string, message: string): Promise<void> {
    return this.serial.run(sessionId, () => this.queue(host).addReport(sessionId, message));
  }

  async goOn(host: RunHost, sessionId: string): Promise<void> {
    if (host.isDraining) return;
    const started = await this.serial.run(sessionId, () => this.queue(host).startNext(sessionId));
    if (started === null) await this.goal(host).goOn(sessionId);
  }

  /** Judges and titles under way are given up; nothing of them is lost: the rows say what is still to do. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all([...this.wishes]);
  }

  private wishTitle(host: RunHost, view: RunView): void {
    const wish = this.titles
      .wait(view.run_id, this.closing.signal)
      .then(() => (this.closing.signal.aborted ? undefined : this.title(host, view)))
      .catch((cause: unknown) => {
        host.dependencies.logger.warn({ run_id: view.run_id, cause: String(cause) }, "no title came");
      })
      .finally(() => this.titles.free(view.run_id));
    this.wishes.add(wish);
    void wish.then(() => this.wishes.delete(wish));
  }

  /** A model's title replaces the fallback only: a name that the person gave always stays. */
  private async title(host: RunHost, view: RunView): Promise<void> {
    const session = await host.rows.session(view.session_id);
    if (session === null || session.title_source !== "fallback") return;
    // The session is named for what it began with, whichever turn was the first to get an answer.
    const question = await host.rows.firstMessage(view.session_id);
    if (question === null) return;
    const request = (await host.rows.run(view.run_id))?.request ?? null;
    const model = request === null ? null : await host.dependencies.auxiliary_model(request);
    if (model === null || request === null) return;
    const title = await modelTitle({
      port: model.port,
      model: request.model,
      question: question.text,
      answer: await host.rows.answerStart(view.run_id),
      signal: this.closing.signal,
    });
    if (title === null || title === session.title) return;
    const { journal } = host.dependencies;
    try {
      await journal.transact([
        requireThat("SELECT title_source = 'fallback' FROM sessions WHERE session_id = ?", [view.session_id]),
        { sql: "UPDATE sessions SET title = ?, title_source = 'model' WHERE session_id = ?", args: [title, view.session_id] },
        ...journal.sessionLogStatements(view.session_id, { type: "title.updated", payload: { title, source: "model", confidence: 0.8 } }),
      ]);
    } catch (cause) {
      if (!isGuardFailure(cause)) throw cause;
    }
  }
}
