/**
 * An OpenAI-compatible model server whose every delta says when it was written, so that whoever reads
 * it anywhere down the line knows how old it is. Server and reader are one process with one clock.
 * The message says what is wanted: `deltas <n> every <ms>`, or `kilobytes <n>`. Stamped answers begin
 * when the gate opens, so that every reader is there before the first delta.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";

const addressSchema = z.object({ port: z.number() });
const KILOBYTE = "k".repeat(1024);

export class StampedModel {
  /** Requests that wait at the gate. */
  waiting = 0;
  private gate: Promise<void> = Promise.resolve();
  private openGate: () => void = () => undefined;
  private readonly server = createServer((incoming, outgoing) => void this.serve(incoming, outgoing));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${addressSchema.parse(this.server.address()).port}/v1`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  shut(): void {
    this.gate = new Promise((resolve) => (this.openGate = resolve));
  }

  open(): void {
    this.openGate();
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let body = "";
    for await (const piece of incoming) body += String(piece);
    if (incoming.method !== "POST") return void outgoing.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"stamped"}]}');
    outgoing.socket?.setNoDelay(true);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    // A first byte, so that who only passes it on has one, too.
    outgoing.write(": ok\n\n");
    // The request for a title quotes the message: a short answer is all it gets.
    const wanted = body.includes("Hermes title") ? "" : body;
    const asked = [...wanted.matchAll(/deltas (\d+) every (\d+)/g)].at(-1);
    const kilobytes = /kilobytes (\d+)/.exec(wanted);
    if (asked !== null && asked !== undefined) await this.writeStamps(outgoing, Number(asked[1]), Number(asked[2]));
    else if (kilobytes !== null) await writeMuch(outgoing, Number(kilobytes[1]));
    else outgoing.write(chunk("Well."));
    outgoing.end(`${chunk("", "stop")}data: [DONE]\n\n`);
  }

  private async writeStamps(outgoing: ServerResponse, count: number, everyMs: number): Promise<void> {
    this.waiting += 1;
    await this.gate;
    this.waiting -= 1;
    // Runs that all write at one moment are no load as people make it.
    await pause(Math.random() * everyMs);
    const begun = performance.now();
    for (let number = 0; number < count && !outgoing.destroyed; number += 1) {
      await pause(Math.max(0, begun + number * everyMs - performance.now()));
      outgoing.write(chunk(`@${performance.now().toFixed(3)}; `));
    }
  }
}

/** As fast as whoever reads takes it. */
async function writeMuch(outgoing: ServerResponse, kilobytes: number): Promise<void> {
  const closed = once(outgoing, "close");
  for (let number = 0; number < kilobytes && !outgoing.destroyed; number += 1) {
    if (outgoing.write(chunk(KILOBYTE))) continue;
    const drained = new AbortController();
    await Promise.race([once(outgoing, "drain", { signal: drained.signal }), closed]).finally(() => drained.abort());
  }
}

function chunk(content: string, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: "stamped", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
}
