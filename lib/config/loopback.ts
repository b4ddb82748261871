import { isIP } from "node:net";

/** Whether a host to bind or to call means this machine's loopback interface only. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  const mapped = bare.startsWith("::ffff:") ? bare.slice("::ffff:".length) : bare;
  return isIP(mapped) === 4 && mapped.startsWith("127.");
}
