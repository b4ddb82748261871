/**
 * A runner, put together in the order in which a start can fail: address and key, database, the one
 * lease of kind runner (H1), the socket, then the host, which takes over what dead owners left. What
 * was opened is closed again when a later part fails, and in the opposite order at the end, so that
 * observers get the last events and nothing is answered by an owner that gave its lease back.
 */
import { processMark } from "#config/process-mark";
import { removePidFile, writePidFile } from "#config/pid-file";
import type { Settings } from "#config/settings";
import type { Database } from "#db/database";
import { openDatabase } from "#db/open-database";
import type { AgentEnvironment } from "#engines/agent-environment";
import type { HostLogger } from "#host/host-dependencies";
import { interruptWorking } from "#host/drain";
import { openHost, type OpenHost } from "#host/open-host";
import { STREAM_TIMING, type StreamTiming } from "#http/sse";
import { StreamGauge } from "#http/stream-gauge";
import type { Journal } from "#journal/journal";
import { acquireOwner, type OwnerLease } from "#journal/lease";
import { createJournal } from "#journal/libsql-journal";
import { AppError } from "#protocol/errors";
import { listen, type RunnerServer } from "./http-server";
import { findListenPlace, type ListenPlace } from "./listen-place";
import { refusalAnswer } from "./runner-answer";
import { createRunnerApp } from "./runner-app";

export interface RunnerPlan {
  readonly settings: Settings;
  readonly version: string;
  readonly environment: AgentEnvironment;
  readonly logger: HostLogger;
  readonly timing?: StreamTiming;
  readonly mostLiveRuns?: number;
  /** How long the end waits for a web process that ends too, so that the database is left as one file. */
  readonly lastUserMs?: number;
}

export interface Runner {
  readonly url: string;
  readonly key: string;
  /** Aborted when another owner took over: end the work and the process. */
  readonly lost: AbortSignal;
  readonly open: OpenHost;
  readonly database: Database;
  readonly journal: Journal;
  /** No new runs; those that work get `graceMs` (or until `force`), then they are interrupted; those that wait go on waiting for the next owner. */
  close(graceMs: number, force?: AbortSignal): Promise<void>;
}

const DOORBELLS = 32;
const MOST_LIVE_RUNS = 1_000;
/** Streams and answers that are on their way when everything else is over. */
const LAST_BYTES_MS = 1_000;

/** Throws an `AppError` whose message is one line for the person: another runner, a taken port, a database that cannot be used. */
export async function openRunner(plan: RunnerPlan): Promise<Runner> {
  const found = findListenPlace(plan.settings);
  if (!found.ok) throw new AppError("invalid_request", found.message);
  const database = await openDatabase({ url: plan.settings.database.url });
  return orClose(() => Promise.resolve(database.close()), async () => {
    const lease = await acquireOwner(leaseSettings(plan, database));
    return orClose(() => lease.release(), () => openOwner(plan, found.place, database, lease));
  });
}

async function openOwner(plan: RunnerPlan, place: ListenPlace, database: Database, lease: OwnerLease): Promise<Runner> {
  const { stateDirectory } = plan.settings;
  const journal = createJournal({ database, epoch: lease.epoch, holds: () => lease.holds(), now: unixNow });
  // Run events are this process's own; the little that others commit is looked for once a second.
  journal.setDoorbell(true);
  const server = await listen(place);
  return orClose(() => server.close(0), async () => {
    writePidFile(stateDirectory, "runner", server.url);
    const open = await openHost({ placement: "runner", settings: plan.settings, database, journal, lease, logger: plan.logger, environment: plan.environment });
    return new OpenRunner({ plan, place, server, database, journal, lease, open });
  });
}

interface Opened {
  readonly plan: RunnerPlan;
  readonly place: ListenPlace;
  readonly server: RunnerServer;
  readonly database: Database;
  readonly journal: Journal;
  readonly lease: OwnerLease;
  readonly open: OpenHost;
}

class OpenRunner implements Runner {
  readonly url: string;
  readonly key: string;
  readonly lost: AbortSignal;
  readonly open: OpenHost;
  readonly database: Database;
  readonly journal: Journal;
  private readonly streams = new StreamGauge();
  private readonly doorbells = new StreamGauge(DOORBELLS);

  constructor(private readonly opened: Opened) {
    const { plan, place, server, database, journal, open } = opened;
    this.url = server.url;
    this.key = place.key;
    this.lost = open.lost;
    this.open = open;
    this.database = database;
    this.journal = journal;
    const app = createRunnerApp({
      ...{ version: plan.version, prefix: place.prefix, key: place.key, startedAt: unixNow(), now: unixNow },
      ...{ database, journal, open, logger: plan.logger, streams: this.streams, doorbells: this.doorbells },
      timing: plan.timing ?? STREAM_TIMING,
      mostLiveRuns: plan.mostLiveRuns ?? MOST_LIVE_RUNS,
    });
    server.use((request, bindings) => app.fetch(request, bindings));
  }

  async close(graceMs: number, force?: AbortSignal): Promise<void> {
    const { server, open, journal, database, plan } = this.opened;
    const interruptNow = (): void => interruptWorking(open.host.liveRuns());
    force?.addEventListener("abort", interruptNow, { once: true });
    try {
      await open.host.drain(graceMs);
      server.use(() => refusalAnswer(new AppError("draining", "The runtime is shutting down. Try again in a moment.", { retryable: true })));
      await open.close(0);
    } finally {
      force?.removeEventListener("abort", interruptNow);
      this.streams.closeAll();
      this.doorbells.closeAll();
      await server.close(LAST_BYTES_MS);
      await journal.close();
      await database.closeLast(plan.lastUserMs ?? 0);
      removePidFile(plan.settings.stateDirectory, "runner");
    }
  }
}

/** Who waits for a person or for a slot has nothing to lose: the next owner goes on with it. */

function leaseSettings(plan: RunnerPlan, database: Database) {
  return {
    database,
    kind: "runner" as const,
    pid: process.pid,
    pidStarted: processMark(process.pid) ?? "unknown",
    leaseSeconds: plan.settings.runner.leaseSeconds,
    now: unixNow,
    readMark: processMark,
    onFailure: (error: unknown) => plan.logger.warn({ cause: String(error) }, "the lease could not be renewed"),
  };
}

function unixNow(): number {
  return Date.now() / 1000;
}

/** What `work` made, or its failure after `close`. */
async function orClose<T>(close: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await close();
    throw error;
  }
}
