/** Controls of a session over a runner. Which session a queued message belongs to is a fact: asked of the database. */
import { z } from "zod";
import { refused, runStartResultSchema, succeeded } from "#protocol/control";
import type { Outcome } from "#protocol/control";
import { queueItemSchema } from "#protocol/event-values";
import { parseId } from "#protocol/ids";
import type { Database } from "#db/database";
import type { RunnerCall } from "./runner-client";
import type { RunnerExchange } from "./runner-exchange";
import { sessionPath } from "./runner-paths";
import type { SessionControls } from "./runtime-adapter";

/** Stopping a run or a process takes its time: TERM, 3 s, KILL, and what follows. */
const STOPPING_TIMEOUT_MS = 20_000;

const doneSchema = z.object({ ok: z.literal(true) });
const beganSchema = z.object({ started: runStartResultSchema });
const resumedSchema = z.object({ started: runStartResultSchema.nullable() });
const yoloSchema = z.object({ yolo_enabled: z.boolean() });
const itemSchema = z.object({ item: queueItemSchema });
const processesSchema = z.object({
  processes: z.array(
    z.object({
      process_id: z.string(),
      command: z.string(),
      started_at: z.number(),
      ended_at: z.number().nullable(),
      exit_code: z.number().nullable(),
    }),
  ),
});

export function createRunnerSessionControls(exchange: RunnerExchange, database: Database): SessionControls {
  const ask = async <Answer, Value>(
    sessionId: string,
    rest: string,
    call: Omit<RunnerCall<Answer>, "path">,
    value: (answer: Answer) => Value,
  ): Promise<Outcome<Value>> => {
    const path = sessionPath(sessionId, rest);
    if (path === null) return refused("session_not_found", "There is no session with this id.");
    const told = await exchange.ask({ ...call, path });
    return told.ok ? succeeded(value(told.value)) : told;
  };
  const nothing = (): null => null;
  return {
    editQueue: async (sessionId, edit) => {
      const session = sessionId ?? (await sessionOfItem(database, edit.queue_id));
      if (session === null) return notWaiting();
      return ask(session, "/queue", { method: "PATCH", body: edit, answer: itemSchema }, ({ item }) => item);
    },
    removeFromQueue: async (queueId) => {
      const session = await sessionOfItem(database, queueId);
      if (session === null) return notWaiting();
      return ask(session, "/queue", { method: "DELETE", body: { queue_id: queueId }, answer: doneSchema }, nothing);
    },
    resumeQueue: (sessionId) => ask(sessionId, "/queue/resume", { method: "POST", body: {}, answer: resumedSchema }, ({ started }) => started),
    setYolo: (sessionId, enabled) => ask(sessionId, "/yolo", { method: "POST", body: { enabled }, answer: yoloSchema }, ({ yolo_enabled }) => yolo_enabled),
    compress: (sessionId, focus) => ask(sessionId, "/compress", { method: "POST", body: { focus }, answer: beganSchema }, ({ started }) => started),
    retry: (sessionId, runId, message) =>
      ask(sessionId, "/retry", { method: "POST", body: { run_id: runId, message }, answer: beganSchema }, ({ started }) => started),
    quiesce: (sessionId) => ask(sessionId, "/quiesce", { method: "POST", body: {}, answer: doneSchema, timeout_ms: STOPPING_TIMEOUT_MS }, nothing),
    listProcesses: (sessionId) => ask(sessionId, "/processes", { method: "GET", answer: processesSchema }, ({ processes }) => processes),
    stopProcess: (sessionId, processId) =>
      ask(sessionId, "/processes", { method: "DELETE", body: { process_id: processId }, answer: doneSchema, timeout_ms: STOPPING_TIMEOUT_MS }, nothing),
  };
}

/** The runner looks again: an item that starts meanwhile is not found there. */
async function sessionOfItem(database: Database, queueId: string): Promise<string | null> {
  if (parseId("que", queueId) === null) return null;
  const { rows } = await database.execute({ sql: "SELECT session_id FROM queue_items WHERE queue_id = ?", args: [queueId] });
  const sessionId = rows[0]?.["session_id"];
  return typeof sessionId === "string" ? sessionId : null;
}

function notWaiting(): Outcome<never> {
  return refused("not_found", "This message does not wait any more.");
}
