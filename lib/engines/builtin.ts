/** The built-in engine: the agent loop on the profile's model, tools and prompt; a compression run sums up and ends. */
import { runLoop } from "#agent/loop";
import { compressHistory } from "#agent/compress";
import { buildSystemPrompt } from "#agent/system-prompt";
import { toolSchemas } from "#agent/tools/registry";
import type { ResolvedModel, RunContext, RunOutcome } from "#agent/run-context";
import type { AgentEnvironment } from "./agent-environment";
import type { Engine } from "./engine";
import { readProjectNotes } from "./project-notes";

export function createBuiltinEngine(environment: AgentEnvironment): Engine {
  return {
    id: "builtin",
    run: async (context) => {
      const model = await environment.modelOf(context.request, context.signal);
      if (!model.ok) return { kind: "failed", code: model.code, message: model.message, diagnostics: { provider: context.request.provider, model: context.request.model }, retryable: false };
      return context.request.source === "compress" ? compress(context, model.value) : work(environment, context, model.value);
    },
  };
}

async function work(environment: AgentEnvironment, context: RunContext, model: ResolvedModel): Promise<RunOutcome> {
  const persona = await environment.personaOf(context.request.profile);
  const systemPrompt = buildSystemPrompt({
    ...persona,
    tools: context.tools,
    workspace: context.request.workspace,
    profile: context.request.profile,
    model: context.request.model,
    now: context.now(),
    platform: `${process.platform} (${process.arch})`,
    project_notes: await readProjectNotes(context.request.workspace),
  });
  return runLoop({ context, model, system_prompt: systemPrompt, model_tools: toolSchemas(context.tools) });
}

async function compress(context: RunContext, model: ResolvedModel): Promise<RunOutcome> {
  const focus = context.request.metadata["focus"];
  const outcome = await compressHistory({ context, model, focus: typeof focus === "string" ? focus : null });
  switch (outcome.kind) {
    case "compressed":
      return { kind: "completed", finish: "stop", result: { covers: outcome.covers.length } };
    case "cancelled":
      return { kind: "cancelled" };
    case "failed":
      return { kind: "failed", code: "internal", message: `Earlier turns could not be summed up: ${outcome.message} Nothing changed.`, diagnostics: {}, retryable: true };
  }
}
