/**
 * The one slot of a process. A bundler makes several copies of every module, and hooks, pages and
 * routes each get their own; only `globalThis` is the same for all of them. It holds the composition
 * root's server and nothing else. Routes read it; tests and benches fill it themselves.
 */
import { AppError } from "#protocol/errors";
import type { Server } from "./server";

declare global {
  // A property of globalThis can only be declared by `var`.
  // oxlint-disable-next-line no-var
  var hermesWebServer: Promise<Server> | undefined;
}

export function readSlot(): Promise<Server> | undefined {
  return globalThis.hermesWebServer;
}

export function fillSlot(server: Promise<Server> | undefined): void {
  // The exception that the rule is about: see above.
  // oxlint-disable-next-line house/no-module-state
  globalThis.hermesWebServer = server;
}

/** This process's server; rejects when the start hook made none. */
export async function serverOfProcess(): Promise<Server> {
  const present = readSlot();
  if (present === undefined) throw new AppError("internal", "The server has not been started.");
  return present;
}
