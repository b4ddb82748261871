/**
 * What a live run gives its engine. Tools that need sessions, memory or other runs get them here
 * through ports, so that the agent never sees the journal or the host.
 */
import type { Database } from "#db/database";
import type { Attachment } from "#protocol/event-values";
import type { Settings } from "#config/settings";
import type { AgentEnvironment } from "#engines/agent-environment";
import type { RunContext, RunLimits } from "#agent/run-context";
import type { Tool } from "#agent/tools/tool-port";
import { keepPrevious, type PreviousFile } from "#workspace/checkpoint";
import { parseId } from "#protocol/ids";
import { createTools, toolsIn } from "#agent/tools/registry";
import { readAmbientEnvironment } from "#config/ambient-environment";
import { seenFiles } from "#agent/tools/seen-files";
import { createDelegatePort } from "./delegate";
import type { HostDependencies } from "./host-dependencies";
import type { LiveRun } from "./live-run";
import type { RunHost } from "./run-host";
import { createSessionSearchPort } from "./session-search";

export function createContextFactory(input: {
  readonly environment: AgentEnvironment;
  readonly database: Database;
  readonly settings: Settings;
}): HostDependencies["create_context"] {
  const { environment, database, settings } = input;
  const ambient = readAmbientEnvironment();
  return async (host, run) => {
    // Earlier turns do not change while this one is at work: read once, however many steps it takes.
    const earlier = await host.rows.views(run.request.session_id, run.run_id);
    return {
      run_id: run.run_id,
      request: run.request,
      limits: await limitsOf(host, run, environment),
      attachments: [...earlier.flatMap((view) => view.message?.attachments ?? []), ...run.request.attachments].flatMap(pathOf),
      home: environment.homeOf(run.request.profile),
      child_env: environment.childEnvOf(run.request.profile),
      tools: [...toolsOf(host, run, environment, database, ambient), ...(await mcpToolsOf(run, environment))],
      originals: run.originals,
      reads: seenFiles([...earlier, run.view()], run.request.workspace),
      signal: run.signal,
      create_id: host.dependencies.create_id,
      now: host.dependencies.now,
      view: () => run.view(),
      history: earlier,
      emit: (...bodies) => run.emit(...bodies),
      drained: () => run.writer.drained(),
      prompt_settled: () => run.promptSettled(),
      approvals: () => host.dependencies.permissions.state(run.request),
      keep_previous: (path, previous) => keepFor(host, run, settings.stateDirectory, path, previous),
      report_stop: (report) => run.reportStop(report),
    } satisfies RunContext;
  };
}

function pathOf(attachment: Attachment): readonly string[] {
  return typeof attachment["path"] === "string" ? [attachment["path"]] : [];
}

function toolsOf(host: RunHost, run: LiveRun, environment: AgentEnvironment, database: Database, ambient: ReturnType<typeof readAmbientEnvironment>): readonly Tool[] {
  const tools = createTools({
    ambient,
    processes: host.dependencies.processes,
    memory: environment.memory,
    skills: environment.skills,
    session_search: createSessionSearchPort(database, run.request.profile),
    delegate: createDelegatePort(host, run),
  });
  const wanted = toolsIn(tools, run.request.toolsets);
  // A child neither delegates further nor asks: nobody looks at its session.
  return run.request.source === "delegate" ? wanted.filter((tool) => tool.name !== "delegate_task" && tool.name !== "clarify") : wanted;
}

/** A run that only sums up uses no tool; servers that are not there are told, and the run goes on without them. */
async function mcpToolsOf(run: LiveRun, environment: AgentEnvironment): Promise<readonly Tool[]> {
  const { profile, source, toolsets } = run.request;
  if (source === "compress" || !toolsets.includes("mcp")) return [];
  const { tools, missing } = await environment.mcpTools(profile, run.run_id, run.signal);
  if (!run.signal.aborted) for (const text of missing) run.emit({ type: "progress", payload: { kind: "warning", text } });
  return tools;
}

/** The checkpoint is for looking back: where it cannot be kept, the work goes on. */
async function keepFor(host: RunHost, run: LiveRun, stateDirectory: string, path: string, previous: PreviousFile): Promise<void> {
  const sessionId = parseId("ses", run.request.session_id);
  if (sessionId === null) return;
  try {
    await keepPrevious({ state_dir: stateDirectory, session_id: sessionId, run_id: run.run_id }, run.request.workspace, path, previous);
  } catch (cause) {
    host.dependencies.logger.warn({ run_id: run.run_id, cause: String(cause) }, "what a file was could not be kept");
  }
}

async function limitsOf(host: RunHost, run: LiveRun, environment: AgentEnvironment): Promise<RunLimits> {
  const { limits } = host.dependencies;
  const { timeout_s } = await environment.approvalsOf(run.request.profile);
  return timeout_s === null ? limits : { ...limits, approval_timeout_s: timeout_s };
}
