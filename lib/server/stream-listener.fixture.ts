import type { RouteHarness, RouteRequest } from "#testing/route-harness";
import type { RouteHandler } from "./handle";

/** Reads the frames of a stream as they come, until its end or until it is told to stop. */
export class StreamListener {
  text = "";
  readonly done: Promise<void>;
  readonly #stop = new AbortController();

  constructor(harness: RouteHarness, handler: RouteHandler, request: RouteRequest) {
    this.done = this.#read(harness, handler, request);
  }

  async #read(harness: RouteHarness, handler: RouteHandler, request: RouteRequest): Promise<void> {
    const response = await harness.send(handler, { ...request, signal: this.#stop.signal });
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) this.text += decoder.decode(piece, { stream: true });
  }

  get ids(): readonly string[] {
    return [...this.text.matchAll(/^id: (\S+)$/gm)].map((match) => match[1] ?? "");
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.done;
  }
}
