import { get } from "node:http";

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** A health answer is small; more than this is not one. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * Asks a server on this machine; null when it gives no whole answer within the time. By Node's own
 * client: `fetch` costs a process that otherwise does next to nothing ten megabytes.
 */
export function httpGet(url: string, timeoutMs: number, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer | null> {
  return new Promise((resolve) => {
    const request = get(url, { headers, agent: false, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
        if (text.length > MAX_CHARACTERS) request.destroy();
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.once("error", () => resolve(null));
      response.once("close", () => resolve(null));
    });
    request.once("error", () => resolve(null));
  });
}
