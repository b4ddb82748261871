import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Peers } from "./peers";

let listening: Server | null = null;
let stop = (): void => undefined;
afterEach(() => {
  stop();
  listening?.close();
});

async function listen(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void): Promise<number> {
  listening = createServer(answer);
  await new Promise<void>((resolve) => listening?.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = listening.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("every request carries its socket's address, over whatever a client sent under that name", async () => {
  const peers = new Peers();
  stop = peers.watch();
  const seen: IncomingHttpHeaders[] = [];
  const port = await listen((incoming, outgoing) => {
    seen.push(incoming.headers);
    outgoing.end("ok");
  });
  await new Promise<void>((resolve, reject) => {
    request({ host: "127.0.0.1", port, headers: { [peers.header]: "1 10.9.9.9" } }, (answer) => answer.resume().on("end", resolve)).on("error", reject).end();
  });
  const peer = peers.peerOf(new Headers({ [peers.header]: String(seen[0]?.[peers.header]) }));
  expect(peer?.address).toBe("127.0.0.1");
});

test("the length of a body is said although it is written in pieces, each answer's own", async () => {
  const peers = new Peers();
  stop = peers.watch();
  const port = await listen((incoming, outgoing) => {
    const peer = peers.peerOf(new Headers({ [peers.header]: String(incoming.headers[peers.header]) }));
    const count = Number(incoming.url?.slice(1));
    if (peer !== null) peers.announceLength(peer, String(count));
    for (let piece = 0; piece < count; piece += 1) outgoing.write("x");
    if (peer !== null) peers.announceLength(peer, "too late");
    outgoing.end();
  });
  for (const count of [3, 7]) {
    const answer = await fetch(`http://127.0.0.1:${port}/${count}`);
    expect(answer.headers.get("content-length")).toBe(String(count));
    expect(answer.headers.get("transfer-encoding")).toBeNull();
    expect(await answer.text()).toHaveLength(count);
  }
});
