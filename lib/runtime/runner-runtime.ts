/**
 * The runner backend: execution lives in another process. Controls go over the client, facts come from
 * the journal that both share, so this object holds no state of any run and may be thrown away between
 * any two calls. Without a configured runner every control answers `runner_not_configured`; one that
 * does not answer is `runner_unavailable` within 5 s. There is no way from here to a run in this process.
 */
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import type { ChildReport } from "#config/supervisor-status";
import { z } from "zod";
import { succeeded } from "#protocol/control";
import { createIdFactory } from "#protocol/ids";
import { mcpStateSchema } from "#protocol/profile-shapes";
import { createRunnerAdapter } from "./runner-adapter";
import type { RunnerClient } from "./runner-client";
import { RunnerDoorbell } from "./runner-doorbell";
import { RunnerExchange } from "./runner-exchange";
import { readRunnerHealth } from "./runner-health";
import { createRunnerSessionControls } from "./runner-session-controls";
import type { Runtime } from "./runtime-adapter";

const mcpSchema = z.object({ servers: z.array(mcpStateSchema) });

export interface RunnerRuntimeInput {
  /** Null where no runner is configured. */
  readonly client: RunnerClient | null;
  /** A reader's: it is told when the runner commits. The caller closes it. */
  readonly journal: Journal;
  readonly database: Database;
  /** What the supervisor of the runner knows; null where there is none. */
  readonly supervised: () => ChildReport | null;
}

export function createRunnerRuntime({ client, journal, database, supervised }: RunnerRuntimeInput): Runtime {
  const doorbell = client === null ? null : new RunnerDoorbell(client, journal);
  const exchange = new RunnerExchange(client, () => doorbell?.tryNow());
  return {
    adapter: createRunnerAdapter({ exchange, journal, database, createId: createIdFactory() }),
    controls: createRunnerSessionControls(exchange, database),
    mcpServers: async (profile) => {
      const told = await exchange.ask({ path: `/v1/profiles/${encodeURIComponent(profile)}/mcp`, method: "GET", answer: mcpSchema });
      return told.ok ? succeeded(told.value.servers) : told;
    },
    health: () =>
      client === null ? Promise.resolve({ configured: false, ok: false, reason: "not_configured" }) : readRunnerHealth({ client, database, supervised: supervised() }),
    close: async () => {
      await doorbell?.close();
    },
  };
}
