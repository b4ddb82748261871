import { processMark } from "#config/process-mark";
import { createAgentEnvironment } from "#engines/create-agent-environment";
import { openHost } from "#host/open-host";
import { acquireOwner } from "#journal/lease";
import { createJournal } from "#journal/libsql-journal";
import type { BuildRuntimeInput, BuiltRuntime } from "./build-runtime";
import { createInProcessRuntime } from "./in-process-runtime";

const now = (): number => Date.now() / 1000;

/** Runs live in this process, under a lease of its own. */
export async function openInProcess({ settings, database, logger, version }: BuildRuntimeInput): Promise<BuiltRuntime> {
  const lease = await acquireOwner({
    database,
    kind: "web",
    pid: process.pid,
    pidStarted: processMark(process.pid) ?? "unknown",
    leaseSeconds: settings.runner.leaseSeconds,
    now,
    readMark: processMark,
    onFailure: (error) => logger.warn({ cause: String(error) }, "the lease could not be renewed"),
  });
  const journal = createJournal({ database, epoch: lease.epoch, now });
  const open = await openHost({ placement: "web", settings, database, journal, lease, logger, environment: await createAgentEnvironment(settings, logger) });
  return { runtime: createInProcessRuntime({ mode: settings.adapter, open, journal, database, version }), journal };
}
