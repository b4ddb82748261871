/** Puts a server together from its parts; whoever opened the parts hands over how they are closed. */
import { knownSecrets } from "#config/known-secrets";
import { createRedactor } from "#journal/redact";
import type { Logger } from "pino";
import type { Settings } from "#config/settings";
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import { SecretBook } from "#profiles/secret-book";
import { createIdFactory, type CreateId } from "#protocol/ids";
import type { Runtime } from "#runtime/runtime-adapter";
import { ACTIVE_SQL, type SessionsRoom } from "#sessions/sessions-room";
import { AttachmentDesk } from "./attachment-desk";
import { Auth } from "./auth";
import { createCommandDesk } from "./command-desk";
import { FileDesk } from "./file-desk";
import { Guards } from "./guards";
import { IdempotentAnswers } from "./idempotency";
import { KeyDesk } from "./key-desk";
import { ListWatch } from "./list-watch";
import { McpDesk } from "./mcp-desk";
import { Metrics } from "./metrics";
import { ModelCatalog } from "./model-catalog";
import { Peers } from "./peers";
import { createSessionDefaults } from "./profile-defaults";
import { ProfileDesk } from "./profile-desk";
import { RecentErrors } from "./recent-errors";
import type { Server } from "./server";
import { createProjectDesk, createSessionDesk } from "./session-desk";
import { STREAM_TIMING, type StreamTiming } from "#http/sse";
import { StreamGauge } from "#http/stream-gauge";

export interface ServerParts {
  readonly version: string;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly database: Database;
  readonly journal: Journal;
  readonly runtime: Runtime;
  /** Closes what the parts hold, after the streams. */
  readonly closeParts: () => Promise<void>;
  /** Those of the process, watched since before there was a server. */
  readonly peers?: Peers;
  /** For tests. */
  readonly createId?: CreateId;
  readonly now?: () => number;
  readonly streamTiming?: StreamTiming;
}

export function assembleServer(parts: ServerParts): Server {
  const { version, settings, logger, database, journal, runtime } = parts;
  const now = parts.now ?? (() => Date.now() / 1000);
  const createId = parts.createId ?? createIdFactory();
  const saved = new SecretBook();
  const redactor = createRedactor(() => [...knownSecrets(settings, settings.runner.apiKey), ...saved.ofAll(settings.hermesHome)]);
  const room: SessionsRoom = { database, journal, createId, now, redactor };
  const streams = new StreamGauge();
  const attachments = new AttachmentDesk({ database, stateDirectory: settings.stateDirectory, createId, now });
  const models = new ModelCatalog(settings);
  const defaults = createSessionDefaults(settings, models);
  let closed: Promise<void> | null = null;
  return {
    ...{ version, settings, logger, database, journal, runtime, models, streams, attachments },
    startedAt: now(),
    sessions: createSessionDesk({ room, defaults, runtime, attachments }),
    projects: createProjectDesk(room),
    profiles: new ProfileDesk(settings.hermesHome, room),
    keys: new KeyDesk(settings),
    mcp: new McpDesk(settings.hermesHome, runtime),
    files: new FileDesk({ database, stateDirectory: settings.stateDirectory }),
    commands: createCommandDesk({ room, defaults, runtime, copyAttachment: attachments.copy, nameModel: (profile, name) => models.name(profile, name) }),
    guards: new Guards(settings),
    peers: parts.peers ?? new Peers(),
    auth: new Auth({ password: settings.password, basePath: settings.basePath, port: settings.port, database, now }),
    answers: new IdempotentAnswers(database, now),
    streamTiming: parts.streamTiming ?? STREAM_TIMING,
    listWatch: new ListWatch(journal, (error) => logger.error({ err: error }, "the session list could not be watched")),
    metrics: new Metrics({ version, adapter: runtime.adapter.mode, streams, activeRuns: () => countActiveRuns(database) }),
    recentErrors: new RecentErrors(),
    close: () => {
      streams.closeAll();
      closed ??= parts.closeParts();
      return closed;
    },
  };
}

async function countActiveRuns(database: Database): Promise<number> {
  const { rows } = await database.execute(`SELECT COUNT(*) AS count FROM runs WHERE status IN ${ACTIVE_SQL}`);
  return Number(rows[0]?.["count"] ?? 0);
}
