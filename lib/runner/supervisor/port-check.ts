import { createServer } from "node:net";
import { systemErrorCode } from "#config/system-error";

/** Null when something can listen there; otherwise why not, in one line. */
export async function whyPortIsNotFree(host: string, port: number, option: string): Promise<string | null> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
    return null;
  } catch (error) {
    return REASONS[systemErrorCode(error) ?? ""]?.(host, port, option) ?? `Nothing can listen on ${host}:${port} (${systemErrorCode(error)}).`;
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
