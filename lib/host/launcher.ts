/**
 * Starting a run: one transaction makes it exist (its row, `run.started`, the session's title and
 * place, and whatever move caused it), and only then does it begin to work. The database's own index
 * decides between two starts at one instant; a queue item that is gone by then starts nothing.
 */
import type { InStatement } from "@libsql/client";
import type { UserMessage } from "#protocol/event-values";
import type { RunEventBody } from "#protocol/events";
import { eventId } from "#protocol/cursor";
import { CONTROLS_BY_STATUS } from "#protocol/status";
import { refused, succeeded } from "#protocol/control";
import type { Outcome, RunStartResult } from "#protocol/control";
import type { RunRequest } from "#protocol/run-request";
import type { CreateId } from "#protocol/ids";
import type { Journal } from "#journal/journal";
import { fallbackTitle } from "#agent/title";
import type { EventWriter } from "./event-writer";
import { constraintOf } from "#db/database-error";
import { isGuardFailure } from "./guard";
import { insertRun, placeRun, touchSession } from "./session-rows";
import type { SessionRow } from "./session-rows";
import type { Slots } from "./slots";

const PREVIEW_CHARACTERS = 200;

export interface LaunchInput {
  readonly request: RunRequest;
  /** The session as it was read; null when `before` makes it. */
  readonly session: Pick<SessionRow, "title" | "title_source"> | null;
  readonly run_id?: string;
  /** Statements of the move that causes this run: all of it happens, or nothing. They come first. */
  readonly before?: readonly InStatement[];
  /** Statements that name the run, and the session's title as it is told (the session's own log, a goal, a receipt). They come last. */
  readonly after?: (runId: string, title: string) => readonly InStatement[];
  /** A child run works inside its parent's slot. */
  readonly slotless?: boolean;
}

export interface LauncherDependencies {
  readonly journal: Journal;
  readonly slots: Slots;
  readonly epoch: number;
  readonly create_id: CreateId;
  readonly now: () => number;
  readonly create_writer: (runId: string, request: RunRequest) => EventWriter;
  /** Takes the run over and lets it work. */
  readonly adopt: (runId: string, request: RunRequest, writer: EventWriter, queued: boolean) => void;
  readonly active_run: (sessionId: string) => Promise<string | null>;
}

export class Launcher {
  constructor(private readonly dependencies: LauncherDependencies) {}

  async launch(input: LaunchInput): Promise<Outcome<RunStartResult>> {
    const { journal, slots, create_id, now } = this.dependencies;
    const { request } = input;
    const runId = input.run_id ?? create_id("run");
    const turnId = create_id("turn");
    const queued = input.slotless !== true && !slots.tryHold(runId);
    const writer = this.dependencies.create_writer(runId, request);
    writer.emit(startedEvent(request, turnId, this.message(request)), ...(queued ? [queuedEvent(slots.ahead() + 1)] : []));
    const append = writer.take();
    if (append === null) throw new Error("A new run's writer holds its first event.");
    const at = now();
    const title = newTitle(input.session, request);
    const toldTitle = title ?? input.session?.title ?? fallbackTitle(request.message ?? "");
    const statements: InStatement[] = [
      ...(input.before ?? []),
      insertRun({ run_id: runId, turn_id: turnId, epoch: this.dependencies.epoch, request, now: at }),
      ...journal.runStatements(append),
      placeRun(runId),
      touchSession(request.session_id, at, request.message === null ? null : request.message.slice(0, PREVIEW_CHARACTERS)),
      ...(title === null ? [] : titleStatements(journal, request.session_id, title)),
      ...(input.after?.(runId, toldTitle) ?? []),
    ];
    try {
      await journal.transact(statements, { fenced: true });
    } catch (cause) {
      slots.free(runId);
      return await this.refusal(request.session_id, cause);
    }
    const view = writer.view();
    this.dependencies.adopt(runId, request, writer, queued);
    return succeeded({
      run_id: runId,
      session_id: request.session_id,
      stream_id: runId,
      status: view.status,
      started_at: view.started_at,
      cursor: eventId(runId, view.last_seq),
      active_controls: [...view.controls],
      turn_id: turnId,
      title: toldTitle,
      provider: request.provider,
      model: request.model,
    });
  }

  private message(request: RunRequest): UserMessage | null {
    if (request.message === null) return null;
    return { id: this.dependencies.create_id("msg"), text: request.message, attachments: request.attachments };
  }

  /** A start that lost says to whom; anything else is a fault of ours and goes up. */
  private async refusal(sessionId: string, cause: unknown): Promise<Outcome<never>> {
    if (constraintOf(cause) === null && !isGuardFailure(cause)) throw cause;
    const active = await this.dependencies.active_run(sessionId);
    if (active === null) return refused("conflict", "Somebody else changed this session at the same moment. Try again.");
    return refused("run_active", "This session is at work. Wait, stop it, or queue the message.", { active_stream_id: active });
  }
}

function startedEvent(request: RunRequest, turnId: string, message: UserMessage | null): RunEventBody {
  return {
    type: "run.started",
    payload: {
      message,
      source: request.source,
      profile: request.profile,
      workspace: request.workspace,
      provider: request.provider,
      model: request.model,
      toolsets: request.toolsets,
      turn_id: turnId,
      controls: [...CONTROLS_BY_STATUS.running],
      continues: request.continues,
      ...(request.instruction === null ? {} : { instruction: request.instruction }),
    },
  };
}

function queuedEvent(ahead: number): RunEventBody {
  return {
    type: "status",
    payload: { status: "queued", controls: [...CONTROLS_BY_STATUS.queued], reason: `Waiting for a free place, ${ahead} ${ahead === 1 ? "run is" : "runs are"} ahead.` },
  };
}

/** The first message names a session that has no name yet. */
function newTitle(session: LaunchInput["session"], request: RunRequest): string | null {
  if (request.message === null || (session !== null && session.title_source !== "none")) return null;
  return fallbackTitle(request.message !== "" ? request.message : (request.attachments[0]?.name ?? ""));
}

function titleStatements(journal: Journal, sessionId: string, title: string): readonly InStatement[] {
  return [
    { sql: "UPDATE sessions SET title = ?, title_source = 'fallback' WHERE session_id = ? AND title_source = 'none'", args: [title, sessionId] },
    ...journal.sessionLogStatements(sessionId, { type: "title.updated", payload: { title, source: "fallback", confidence: 0.3 } }),
  ];
}
