import { createServer } from "node:net";
import { setTimeout as timer } from "node:timers/promises";
import { systemErrorCode } from "#config/system-error";

/** Another start may look at the same port at this moment, by holding it for a blink. */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 60;

/** Null when something can listen there; otherwise why not, in one line. */
export async function whyPortIsNotFree(host: string, port: number, option: string): Promise<string | null> {
  let code = await tryToListen(host, port);
  for (let look = 1; look < LOOKS && code === "EADDRINUSE"; look += 1) {
    await timer(BETWEEN_LOOKS_MS);
    code = await tryToListen(host, port);
  }
  if (code === null) return null;
  return REASONS[code]?.(host, port, option) ?? `Nothing can listen on ${host}:${port} (${code}).`;
}

/** Null, or the code of the system's refusal. */
async function tryToListen(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
    return null;
  } catch (error) {
    return systemErrorCode(error) ?? "no reason";
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const REASONS: Readonly<Record<string, (host: string, port: number, option: string) => string>> = {
  EADDRINUSE: (_host, port, option) => `Port ${port} is taken; choose another with ${option}.`,
  EACCES: (_host, port, option) => `Port ${port} needs more rights than this user has; choose one above 1023 with ${option}.`,
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine; choose another with --host.`,
  ENOTFOUND: (host) => `${host} is no known host; choose another with --host.`,
};
