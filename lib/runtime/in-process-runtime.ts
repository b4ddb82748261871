/**
 * The in-process backend: the host lives in this process. It serves both legacy modes (decision 0001):
 * they differ in name only, because both have the journal and neither may fall back to anything else.
 */
import type { AdapterMode, Runtime, RuntimeAdapter, SessionControls } from "./runtime-adapter";
import { succeeded } from "#protocol/control";
import type { Journal } from "#journal/journal";
import type { OpenHost } from "#host/open-host";
import type { Database } from "#db/database";
import { readRun } from "#sessions/run-list";
import { observeRun } from "./observe-run";

export function createInProcessRuntime(input: { readonly mode: AdapterMode; readonly open: OpenHost; readonly journal: Journal; readonly database: Database; readonly version: string }): Runtime {
  const { open, journal, database } = input;
  const { host, controls } = open;
  const adapter: RuntimeAdapter = {
    mode: input.mode,
    startRun: (request) => host.start(request),
    observeRun: (runId, cursor, signal) => observeRun(journal, runId, cursor, signal),
    getRun: (runId) => readRun(database, runId),
    cancelRun: (runId) => host.cancel(runId, "Stopped by the person."),
    respondApproval: (runId, approvalId, choice) => host.respondApproval(runId, approvalId, choice),
    respondClarify: (runId, clarifyId, answer) => host.respondClarify(runId, clarifyId, answer),
    queueMessage: (sessionId, request) => controls.queueMessage(sessionId, request),
    updateGoal: (sessionId, action, text) => controls.updateGoal(sessionId, action, text),
  };
  const sessionControls: SessionControls = {
    editQueue: (sessionId, edit) => controls.editQueue(sessionId, edit),
    removeFromQueue: (queueId) => controls.removeFromQueue(queueId),
    resumeQueue: (sessionId) => controls.resumeQueue(sessionId),
    setYolo: (sessionId, enabled) => controls.setYolo(sessionId, enabled),
    compress: (sessionId, focus) => controls.compress(sessionId, focus),
    retry: (sessionId, runId, message) => controls.retry(sessionId, runId, message),
    quiesce: (sessionId) => controls.quiesce(sessionId),
    listProcesses: (sessionId) => controls.listProcesses(sessionId),
    stopProcess: (sessionId, processId) => controls.stopProcess(sessionId, processId),
  };
  return {
    adapter,
    controls: sessionControls,
    mcpServers: async (profile) => succeeded(await open.mcpServers(profile)),
    health: () => Promise.resolve({ configured: false, ok: true, version: input.version, active_runs: host.liveRuns().length }),
    close: () => open.close(LEGACY_DRAIN_MS),
  };
}

/** The web process has 5 s to exit, and its runs end with it: they get a moment, not a drain. */
const LEGACY_DRAIN_MS = 1_500;
