import { createServer } from "node:net";

const TRIES = 50;
const LOWEST = 10_000;
/** Below the ports that a system gives out by itself (from 32,768 on Linux): a port stays free while a build takes its minute. */
const HIGHEST = 32_000;

/** A port that is free on loopback, as the next one is (the runner's). */
export async function freePortPair(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error("No two ports in a row are free.");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
