/** One connection to the runner's doorbell, from its answer to its end; a runner that lies is hung up on. */
import type { IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import type { RunnerHttp } from "./runner-http";

export interface DoorbellEars {
  /** From now on every commit is told. */
  readonly listening: () => void;
  /** Something was committed. */
  readonly rung: () => void;
}

/** The runner says something at least every 10 s. */
const SILENCE_MS = 25_000;
/** Bytes without one whole event: a doorbell's events are a few bytes each. */
const NONSENSE_BYTES = 64 * 1024;

/** Resolves when the connection is over, however it ended: the caller listens again. */
export async function listenToDoorbell(http: RunnerHttp, ears: DoorbellEars, signal: AbortSignal): Promise<void> {
  const response = await connect(http, signal);
  if (response === null) return;
  if (response.statusCode !== 200 || !(response.headers["content-type"] ?? "").startsWith("text/event-stream")) {
    response.destroy();
    return;
  }
  await hear(response, ears);
}

/** Null where nobody answers: that is told by whoever calls next, not here. */
async function connect(http: RunnerHttp, signal: AbortSignal): Promise<IncomingMessage | null> {
  try {
    return await http.open("/v1/doorbell", { accept: "text/event-stream" }, signal, SILENCE_MS);
  } catch {
    return null;
  }
}

function hear(response: IncomingMessage, ears: DoorbellEars): Promise<void> {
  return new Promise((resolve) => {
    let sinceEvent = 0;
    const parser = createParser({
      onEvent: ({ event }) => {
        sinceEvent = 0;
        if (event === "listening") ears.listening();
        if (event === "commit") ears.rung();
      },
      onComment: () => {
        sinceEvent = 0;
      },
    });
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      sinceEvent += text.length;
      parser.feed(text);
      if (sinceEvent > NONSENSE_BYTES) response.destroy();
    });
    // A cut connection is an error and a close, an ended one a close.
    response.on("error", () => undefined);
    response.on("close", resolve);
  });
}
