import type { RunStartResult } from "#protocol/control";

/** The keys by which the browser's API tells of a run that a control began (contract 3.1). */
export function startKeys(started: RunStartResult): Readonly<Record<string, unknown>> {
  const { stream_id, session_id, started_at, turn_id, title, model, provider } = started;
  return { stream_id, session_id, pending_started_at: started_at, turn_id, title, effective_model: model, effective_model_provider: provider };
}
