/**
 * The start of a run as the browser gets it (contract 3.1): exactly five keys, and the model that is
 * used exactly when the request did not name it; the same in every adapter mode.
 */
import type { z } from "zod";
import { startRunRequestSchema, type RunStartResult } from "#protocol/control";
import { taken } from "./outcome";
import type { Server } from "./server";

export const chatStartSchema = startRunRequestSchema.omit({ run_id: true });
export type ChatStart = z.infer<typeof chatStartSchema>;

export interface StartKeys {
  readonly stream_id: string;
  readonly session_id: string;
  readonly pending_started_at: number;
  readonly turn_id: string;
  readonly title: string;
  readonly effective_model?: string;
  readonly effective_model_provider?: string;
}

type Started = Pick<RunStartResult, "stream_id" | "session_id" | "started_at" | "turn_id" | "title" | "model" | "provider">;

/** `named`: the model as the request wrote it, or null. */
export function startKeys(started: Started, named: string | null): StartKeys {
  const { stream_id, session_id, started_at, turn_id, title, model, provider } = started;
  const keys = { stream_id, session_id, pending_started_at: started_at, turn_id, title };
  const isNamed = named === model || named === `${provider}/${model}`;
  return isNamed ? keys : { ...keys, effective_model: model, effective_model_provider: provider };
}

/** Starts the run, or answers the one that this very request started before the process went away. */
export async function startChat(server: Server, request: ChatStart, runId: string | null): Promise<StartKeys> {
  const named = request.model ?? null;
  const before = runId === null ? null : await startedBefore(server, runId);
  if (before !== null) return startKeys(before, named);
  return startKeys(taken(await server.runtime.adapter.startRun({ ...request, run_id: runId })), named);
}

async function startedBefore(server: Server, runId: string): Promise<Started | null> {
  const view = await server.journal.readView(runId);
  if (view === null) return null;
  const { title } = await server.sessions.read(view.session_id);
  const { session_id, started_at, turn_id, model, provider } = view;
  return { stream_id: runId, session_id, started_at, turn_id, title, model, provider };
}
