/** What a route has to work with: one object per process, made by the composition root. */
import type { Logger } from "pino";
import type { Settings } from "#config/settings";
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import type { Runtime } from "#runtime/runtime-adapter";
import type { AttachmentDesk } from "./attachment-desk";
import type { Auth } from "./auth";
import type { CommandDesk } from "./command-desk";
import type { FileDesk } from "./file-desk";
import type { Guards } from "./guards";
import type { IdempotentAnswers } from "./idempotency";
import type { KeyDesk } from "./key-desk";
import type { ListWatch } from "./list-watch";
import type { McpDesk } from "./mcp-desk";
import type { Metrics } from "./metrics";
import type { ModelCatalog } from "./model-catalog";
import type { Peers } from "./peers";
import type { ProfileDesk } from "./profile-desk";
import type { RecentErrors } from "./recent-errors";
import type { ProjectDesk, SessionDesk } from "./session-desk";
import type { StreamTiming } from "#http/sse";
import type { StreamGauge } from "#http/stream-gauge";

export interface Server {
  readonly version: string;
  /** Unix seconds. */
  readonly startedAt: number;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly database: Database;
  readonly journal: Journal;
  readonly runtime: Runtime;
  readonly sessions: SessionDesk;
  readonly projects: ProjectDesk;
  readonly files: FileDesk;
  readonly attachments: AttachmentDesk;
  readonly profiles: ProfileDesk;
  readonly keys: KeyDesk;
  readonly mcp: McpDesk;
  readonly models: ModelCatalog;
  readonly commands: CommandDesk;
  readonly guards: Guards;
  readonly peers: Peers;
  readonly auth: Auth;
  readonly answers: IdempotentAnswers;
  readonly streams: StreamGauge;
  readonly streamTiming: StreamTiming;
  readonly listWatch: ListWatch;
  readonly metrics: Metrics;
  readonly recentErrors: RecentErrors;
  /** Closes streams, runtime, journal and database, in this order; a second call waits for the first. */
  close(): Promise<void>;
}
