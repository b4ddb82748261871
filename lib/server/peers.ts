/**
 * Who is at the other end of a connection, told by its socket and by nothing that a client can write.
 *
 * Route handlers see headers only, so each request gets one of our own as it arrives, before any
 * handler runs: name and value are made in this process, and the name is random, so a client can
 * neither send nor learn it. A request without it (the framework listens before it calls us) has no
 * known peer and is not served. The connection's number also lets a stalled stream be hung up: ending a
 * response whose socket takes no byte would wait for that socket for ever. The request's number lets the
 * length of a body be said: the framework drops it from a route's answer and would send it in chunks of
 * unknown number.
 */
import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { z } from "zod";

const CHANNEL = "http.server.request.start";

/** What node publishes on the channel; only what is used here. */
const startedSchema = z.object({
  request: z.custom<{ headers: Record<string, string | string[] | undefined> }>((value) => typeof value === "object" && value !== null),
  response: z.custom<ServerResponse>((value) => typeof value === "object" && value !== null),
  socket: z.custom<Socket>((value) => typeof value === "object" && value !== null),
});

export interface Peer {
  /** IP address of the socket's other end; an IPv4 address in its own form. */
  readonly address: string;
  readonly connection: number;
  readonly request: number;
}

export class Peers {
  readonly header: string;
  readonly #sockets = new Map<number, Socket>();
  readonly #numbers = new WeakMap<Socket, number>();
  readonly #responses = new Map<number, ServerResponse>();
  #count = 0;
  #requests = 0;

  constructor(header = `x-peer-${randomBytes(16).toString("hex")}`) {
    this.header = header;
  }

  /** Marks every request of this process from now on; the returned function stops that. */
  watch(): () => void {
    const mark = (message: unknown): void => {
      const { request, response, socket } = startedSchema.parse(message);
      request.headers[this.header] = `${this.#numberOf(socket)} ${socket.remoteAddress ?? ""} ${this.#keep(response)}`;
    };
    subscribe(CHANNEL, mark);
    return () => {
      unsubscribe(CHANNEL, mark);
    };
  }

  /** Null when nobody marked the request or the socket was gone already. */
  peerOf(headers: Headers): Peer | null {
    const [connection = "", address = "", request = ""] = (headers.get(this.header) ?? "").split(" ");
    if (address === "") return null;
    return { address: plainAddress(address), connection: Number(connection), request: Number(request) };
  }

  hangUp(connection: number): void {
    this.#sockets.get(connection)?.destroy();
  }

  /** How many bytes the body of the answer to this request will have; before its first one. */
  announceLength({ request }: Peer, bytes: string): void {
    const response = this.#responses.get(request);
    if (response?.headersSent === false) response.setHeader("content-length", bytes);
  }

  #keep(response: ServerResponse): number {
    this.#requests += 1;
    const number = this.#requests;
    this.#responses.set(number, response);
    response.once("close", () => this.#responses.delete(number));
    return number;
  }

  #numberOf(socket: Socket): number {
    const known = this.#numbers.get(socket);
    if (known !== undefined) return known;
    this.#count += 1;
    const number = this.#count;
    this.#numbers.set(socket, number);
    this.#sockets.set(number, socket);
    socket.once("close", () => this.#sockets.delete(number));
    return number;
  }
}

/** An IPv4 address that came over an IPv6 socket is the IPv4 address. */
export function plainAddress(address: string): string {
  const lower = address.toLowerCase();
  return lower.startsWith("::ffff:") && lower.includes(".") ? lower.slice("::ffff:".length) : lower;
}
