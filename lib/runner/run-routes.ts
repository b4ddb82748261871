/**
 * Runs and their controls (contract 4). Controls answer 200 with a ControlResult; 404 only for an
 * unknown run, 400 for a body of the wrong shape. While the runner drains it starts nothing and takes
 * no answers: whoever waits goes on waiting with the next owner, and asks again there.
 */
import { z } from "zod";
import { approvalResponseSchema, clarifyAnswerSchema, startRunRequestSchema, type ControlResult } from "#protocol/control";
import { AppError, type ErrorCode } from "#protocol/errors";
import { queueModeSchema } from "#protocol/event-values";
import { parseId } from "#protocol/ids";
import type { RunState } from "#protocol/run-view";
import { parseInput } from "#http/parse-input";
import { listRuns, readRun } from "#sessions/run-list";
import { causeOfMessage } from "./control-event";
import { readJsonBody } from "./read-json-body";
import { readKeyed } from "./read-keyed";
import { controlAnswer, jsonAnswer, taken } from "./runner-answer";
import type { RunnerApp, RunnerParts } from "./runner-parts";

const LOOKUP_LIMIT = 50;

const lookupSchema = z.object({ session_id: z.string().min(1) });
const cancelSchema = z.object({ reason: z.string().max(500).nullish() });
const messageSchema = z.object({
  message: z.string().max(1_000_000),
  mode: queueModeSchema.nullish(),
  attachments: z.array(z.string()).max(50).nullish(),
  client_message_id: z.string().max(200).nullish(),
});

/** Refusals that say how the run stands. */
const STATUS_OF_REFUSAL: Readonly<Partial<Record<ErrorCode, ControlResult["status"]>>> = { not_active: "not-active", conflict: "conflict" };

export function addRunRoutes(app: RunnerApp, parts: RunnerParts): void {
  addStartRoutes(app, parts);
  addPromptRoutes(app, parts);
  const { host, controls } = parts.open;

  app.post("/v1/runs/:id/cancel", async (context) => {
    const { reason } = parseInput(cancelSchema, await readJsonBody(context));
    return controlAnswer(taken(await host.cancel(context.req.param("id"), reason ?? "Stopped by the person.")));
  });
  app.post("/v1/runs/:id/messages", async (context) => {
    const { mode, ...message } = readKeyed(context, messageSchema, await readJsonBody(context));
    const runId = context.req.param("id");
    const run = parseId("run", runId) === null ? null : await host.rows.run(runId);
    if (run === null) throw unknownRun();
    const added = await controls.queueMessage(run.session_id, { ...message, mode: mode ?? "queue" }, runId);
    const refusedAs = added.ok ? undefined : STATUS_OF_REFUSAL[added.error.code];
    if (!added.ok && refusedAs !== undefined) return controlAnswer({ accepted: false, status: refusedAs, event_id: null, safe_message: added.error.message });
    const { queue_id, status, started } = taken(added);
    const eventId = await causeOfMessage(parts.database, { run_id: runId, session_id: run.session_id, queue_id, started_run_id: started?.run_id ?? null });
    const words = status === "started" ? "Started." : mode === "steer" ? "The model is told with its next step." : "Waits for its turn.";
    return controlAnswer({ accepted: true, status: "accepted", event_id: eventId, safe_message: words }, { queue_id, started });
  });
}

function addStartRoutes(app: RunnerApp, { open: { host }, database, mostLiveRuns }: RunnerParts): void {
  app.post("/v1/runs", async (context) => {
    const asked = readKeyed(context, startRunRequestSchema, await readJsonBody(context));
    if (host.liveRuns().length >= mostLiveRuns) throw new AppError("rate_limited", "Too many runs are unfinished.", { retry_after_s: 5 });
    return jsonAnswer(taken(await host.start(asked)), 202);
  });
  app.get("/v1/runs", async (context) => {
    const { session_id } = parseInput(lookupSchema, context.req.query());
    const sessionId = parseId("ses", session_id);
    if (sessionId === null) throw new AppError("session_not_found", "There is no session with this id.");
    const { runs, active_run_id } = await listRuns({ database }, { sessionId, limit: LOOKUP_LIMIT, before: null });
    const onlyActive = ["1", "true"].includes(context.req.query("active") ?? "");
    return jsonAnswer({ runs: runs.filter((run) => !onlyActive || run.run_id === active_run_id).map(withActiveControls), active_run_id });
  });
  app.get("/v1/runs/:id", async (context) => {
    const runId = parseId("run", context.req.param("id"));
    const run = runId === null ? null : await readRun(database, runId);
    if (run === null) throw unknownRun();
    return jsonAnswer(withActiveControls(run));
  });
}

function addPromptRoutes(app: RunnerApp, { open: { host } }: RunnerParts): void {
  const takesAnswers = (): void => {
    if (host.isDraining) throw new AppError("draining", "The runtime is shutting down. It asks again when it is back.", { retryable: true });
  };
  app.post("/v1/runs/:id/approval", async (context) => {
    const { approval_id, choice } = parseInput(approvalResponseSchema, await readJsonBody(context));
    takesAnswers();
    return controlAnswer(taken(await host.respondApproval(context.req.param("id"), approval_id, choice)));
  });
  app.post("/v1/runs/:id/clarifications/:clarification/respond", async (context) => {
    const answer = parseInput(clarifyAnswerSchema, await readJsonBody(context));
    takesAnswers();
    return controlAnswer(taken(await host.respondClarify(context.req.param("id"), context.req.param("clarification"), answer)));
  });
}

function withActiveControls(state: RunState): RunState & { readonly active_controls: RunState["controls"] } {
  return { ...state, active_controls: state.controls };
}

function unknownRun(): AppError {
  return new AppError("run_not_found", "There is no run with this id.");
}
