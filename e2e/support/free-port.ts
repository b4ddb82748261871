import { createServer } from "node:net";
import { z } from "zod";

const addressSchema = z.object({ port: z.number() });
const TRIES = 20;

/** A port of loopback that nothing listens on, and neither on the next one: the runner takes that. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = await portOf(0);
    if (port !== null && port < 65_535 && (await portOf(port + 1)) !== null) return port;
  }
  throw new Error("No two neighbouring ports are free.");
}

/** The port that listening gave, or null when it is taken. */
function portOf(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = addressSchema.parse(server.address());
      server.close(() => resolve(address.port));
    });
  });
}
