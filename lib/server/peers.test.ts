import { createServer, request, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Peers } from "./peers";

let listening: Server | null = null;
let stop = (): void => undefined;
afterEach(() => {
  stop();
  listening?.close();
});

test("every request carries its socket's address, over whatever a client sent under that name", async () => {
  const peers = new Peers();
  stop = peers.watch();
  const seen: IncomingHttpHeaders[] = [];
  listening = createServer((incoming, outgoing) => {
    seen.push(incoming.headers);
    outgoing.end("ok");
  });
  await new Promise<void>((resolve) => listening?.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = listening.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await new Promise<void>((resolve, reject) => {
    request({ host: "127.0.0.1", port, headers: { [peers.header]: "1 10.9.9.9" } }, (answer) => answer.resume().on("end", resolve)).on("error", reject).end();
  });
  const peer = peers.peerOf(new Headers({ [peers.header]: String(seen[0]?.[peers.header]) }));
  expect(peer?.address).toBe("127.0.0.1");
});
