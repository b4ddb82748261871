/** What the runner's routes work with. */
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Database } from "#db/database";
import type { HostLogger } from "#host/host-dependencies";
import type { OpenHost } from "#host/open-host";
import type { StreamTiming } from "#http/sse";
import type { StreamGauge } from "#http/stream-gauge";
import type { Journal } from "#journal/journal";

export interface RunnerParts {
  readonly version: string;
  /** Path in front of every route. */
  readonly prefix: string;
  readonly key: string;
  /** Unix seconds. */
  readonly startedAt: number;
  readonly now: () => number;
  readonly database: Database;
  readonly journal: Journal;
  readonly open: OpenHost;
  readonly logger: HostLogger;
  /** Event streams of runs. */
  readonly streams: StreamGauge;
  /** Doorbells have places of their own: observers must not keep the web process from hearing. */
  readonly doorbells: StreamGauge;
  readonly timing: StreamTiming;
  /** Each live run holds memory here: a client that starts more is asked to wait. */
  readonly mostLiveRuns: number;
}

export type RunnerApp = Hono<{ Bindings: HttpBindings }>;
