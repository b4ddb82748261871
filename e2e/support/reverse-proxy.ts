/** A reverse proxy as people put one before a page: it serves one path prefix, adds the usual headers, and notes what asked for anything else. */
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";

const addressSchema = z.object({ port: z.number() });

export class ReverseProxy {
  /** Paths outside the prefix that somebody asked for. */
  readonly strays: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(prefix: string, targetPort: number): Promise<ReverseProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const proxy = new ReverseProxy(server, `http://127.0.0.1:${addressSchema.parse(server.address()).port}`);
    server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const path = incoming.url ?? "/";
      if (path !== prefix && !path.startsWith(`${prefix}/`)) {
        proxy.strays.push(path);
        outgoing.writeHead(404).end();
        return;
      }
      const headers = { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress ?? "", "x-forwarded-proto": "http" };
      const passed = forward({ host: "127.0.0.1", port: targetPort, path, method: incoming.method ?? "GET", headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on("error", () => outgoing.destroy());
      outgoing.on("close", () => passed.destroy());
      incoming.pipe(passed);
    });
    return proxy;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}
