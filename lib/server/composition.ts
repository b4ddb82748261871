/**
 * The composition root of the web process: settings → state directory → database → journal → runtime
 * → server, made once per process although Next makes several copies of every module. The start hook
 * makes it before the first request; routes and pages only ask for it (`serverOfProcess`).
 */
import { openServer } from "./open-server";
import { fillSlot, readSlot } from "./process-slot";
import type { Peers } from "./peers";
import type { Server } from "./server";

/** Rejects with `StartFailure` for what the person can mend. A second call gets the first one's server. */
export function startServer(version: string, peers: Peers): Promise<Server> {
  const present = readSlot();
  if (present !== undefined) return present;
  const opening = openServer(version, peers);
  fillSlot(opening);
  return opening;
}
