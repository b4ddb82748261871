/**
 * Controls of a session, as the browser's API has them (contract 3.1, 3.2 and 4): same methods, bodies
 * and answers, plus `started`, the whole result of a run that began by it. `processes` and `quiesce`
 * are for our own web process.
 */
import { z } from "zod";
import { queueEditSchema, queueRequestSchema } from "#protocol/control";
import { AppError } from "#protocol/errors";
import { parseId } from "#protocol/ids";
import { parseInput } from "#http/parse-input";
import { listQueue } from "#sessions/queue-list";
import { addGoalRoutes } from "./goal-routes";
import { readJsonBody } from "./read-json-body";
import { readKeyed } from "./read-keyed";
import { jsonAnswer, taken } from "./runner-answer";
import type { RunnerApp, RunnerParts } from "./runner-parts";
import { startKeys } from "./start-keys";

const removalSchema = z.object({ queue_id: z.string() });
const yoloSchema = z.object({ enabled: z.boolean() });
const compressSchema = z.object({ focus: z.string().max(10_000).nullish() });
const retrySchema = z.object({ run_id: z.string().nullish(), message: z.string().min(1).max(1_000_000).nullish() });
const processSchema = z.object({ process_id: z.string().max(100) });
const nothingSchema = z.object({});

export function addSessionRoutes(app: RunnerApp, parts: RunnerParts): void {
  addQueueRoutes(app, parts);
  addGoalRoutes(app, parts);
  const { controls } = parts.open;
  app.post("/v1/sessions/:session/yolo", async (context) => {
    const { enabled } = parseInput(yoloSchema, await readJsonBody(context));
    return jsonAnswer({ yolo_enabled: taken(await controls.setYolo(sessionOf(context.req.param("session")), enabled)) });
  });
  app.post("/v1/sessions/:session/compress", async (context) => {
    const { focus } = parseInput(compressSchema, await readJsonBody(context));
    const started = taken(await controls.compress(sessionOf(context.req.param("session")), focus ?? null));
    return jsonAnswer({ ok: true, ...startKeys(started), started });
  });
  app.post("/v1/sessions/:session/retry", async (context) => {
    const { run_id, message } = parseInput(retrySchema, await readJsonBody(context));
    const started = taken(await controls.retry(sessionOf(context.req.param("session")), run_id ?? null, message ?? null));
    return jsonAnswer({ ok: true, ...startKeys(started), started });
  });
  app.post("/v1/sessions/:session/quiesce", async (context) => {
    parseInput(nothingSchema, await readJsonBody(context));
    taken(await controls.quiesce(sessionOf(context.req.param("session"))));
    return jsonAnswer({ ok: true });
  });
  app.get("/v1/sessions/:session/processes", async (context) => {
    const sessionId = await knownSession(parts, context.req.param("session"));
    return jsonAnswer({ processes: taken(await controls.listProcesses(sessionId)) });
  });
  app.delete("/v1/sessions/:session/processes", async (context) => {
    const { process_id } = parseInput(processSchema, await readJsonBody(context));
    taken(await controls.stopProcess(sessionOf(context.req.param("session")), process_id));
    return jsonAnswer({ ok: true });
  });
}

function addQueueRoutes(app: RunnerApp, parts: RunnerParts): void {
  const path = "/v1/sessions/:session/queue";
  const { host, controls } = parts.open;
  app.get(path, async (context) => jsonAnswer({ items: await listQueue(parts, await knownSession(parts, context.req.param("session"))) }));
  app.post(path, async (context) => {
    const asked = readKeyed(context, queueRequestSchema, await readJsonBody(context));
    const { started, ...added } = taken(await controls.queueMessage(sessionOf(context.req.param("session")), asked));
    return jsonAnswer({ ...added, ...(started === null ? {} : startKeys(started)), started });
  });
  app.patch(path, async (context) => {
    const edit = parseInput(queueEditSchema, await readJsonBody(context));
    return jsonAnswer({ item: taken(await controls.editQueue(sessionOf(context.req.param("session")), edit)) });
  });
  app.delete(path, async (context) => {
    const { queue_id } = parseInput(removalSchema, await readJsonBody(context));
    const item = parseId("que", queue_id) === null ? null : await host.rows.queueItem(queue_id);
    if (item?.session_id !== context.req.param("session")) throw new AppError("not_found", "This message does not wait any more.");
    taken(await controls.removeFromQueue(queue_id));
    return jsonAnswer({ ok: true });
  });
  app.post(`${path}/resume`, async (context) => {
    parseInput(nothingSchema, await readJsonBody(context));
    const started = taken(await controls.resumeQueue(sessionOf(context.req.param("session"))));
    return jsonAnswer({ ok: true, ...(started === null ? {} : startKeys(started)), started });
  });
}

/** What cannot be an id is answered like an unknown one. */
function sessionOf(id: string): string {
  const sessionId = parseId("ses", id);
  if (sessionId === null) throw new AppError("session_not_found", "There is no session with this id.");
  return sessionId;
}

async function knownSession({ open: { host } }: RunnerParts, id: string): Promise<string> {
  const session = await host.rows.session(sessionOf(id));
  if (session === null) throw new AppError("session_not_found", "There is no session with this id.");
  return session.session_id;
}
