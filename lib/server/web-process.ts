/**
 * Start and end of the web process. Before the first request: settings, database (migrated), runtime,
 * the mark on every request that says who its peer is, and `web.json`. On the first signal: streams
 * close, then what stands behind them, then the framework's own shutdown, which waits for connections
 * and exits; all of it within five seconds, by force where something does not end.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { z } from "zod";
import { removePidFile, writePidFile } from "#config/pid-file";
import { startServer } from "./composition";
import { Peers } from "./peers";
import type { Server } from "./server";
import { StartFailure } from "./start-failure";

const SHUTDOWN_MS = 4_000;
const FORCE_MS = 4_700;

export async function startProcess(version: string): Promise<void> {
  // The framework listens already: from here on every request is known by its peer.
  const peers = new Peers();
  peers.watch();
  const server = await startServer(version, peers).catch(failStart);
  const { stateDirectory, host, port, basePath, adapter } = server.settings;
  writePidFile(stateDirectory, "web", webUrl(host, port, basePath));
  correctAddress(server);
  for (const signal of ["SIGTERM", "SIGINT"] as const) endOn(signal, server);
  server.logger.info({ version, adapter }, "ready");
}

/** One line for what the person can mend. The framework would go on listening without a server behind it. */
function failStart(error: unknown): never {
  const known = error instanceof StartFailure;
  process.stderr.write(`${known ? error.message : inspect(error)}\n`);
  // oxlint-disable-next-line no-restricted-properties
  process.exit(1);
}

/**
 * The framework's handlers would exit as soon as no connection is open, whatever is still being
 * written: ours takes their place and calls them when everything else is closed.
 */
function endOn(signal: "SIGTERM" | "SIGINT", server: Server): void {
  const previous = process.listeners(signal);
  process.removeAllListeners(signal);
  let ending = false;
  process.on(signal, () => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.kill(process.pid, "SIGKILL"), FORCE_MS).unref();
    void end(server).then(() => {
      if (previous.length === 0) process.kill(process.pid, "SIGKILL");
      for (const listener of previous) listener.call(process, signal);
    });
  });
}

async function end(server: Server): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SHUTDOWN_MS);
  });
  try {
    await Promise.race([server.close(), late]);
  } catch (error) {
    server.logger.error({ err: error }, "the server could not be closed in order");
  } finally {
    clearTimeout(timer);
    removePidFile(server.settings.stateDirectory, "web");
  }
}

const startedSchema = z.object({ server: z.custom<{ address(): AddressInfo | string | null }>((value) => typeof value === "object" && value !== null) });

/** The framework takes its port from its own command line; the first request shows the one that it got. */
function correctAddress(server: Server): void {
  const { stateDirectory, host, port, basePath } = server.settings;
  const look = (message: unknown): void => {
    unsubscribe("http.server.request.start", look);
    const address = startedSchema.parse(message).server.address();
    if (address === null || typeof address === "string" || address.port === port) return;
    writePidFile(stateDirectory, "web", webUrl(host, address.port, basePath));
  };
  subscribe("http.server.request.start", look);
}

function webUrl(host: string, port: number, basePath: string): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}${basePath}`;
}
