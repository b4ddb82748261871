/** A TCP proxy on loopback whose connections a test can cut: Playwright's own "offline" lets an open stream flow on. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { z } from "zod";

const addressSchema = z.object({ port: z.number() });

export class TcpProxy {
  /** Connections that were taken in, cut ones too. */
  taken = 0;
  #down = false;
  readonly #open = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(targetPort: number): Promise<TcpProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const proxy = new TcpProxy(server, addressSchema.parse(server.address()).port);
    server.on("connection", (socket) => proxy.#take(socket, targetPort));
    return proxy;
  }

  /** Cuts everything, and whatever is tried from now on. */
  cut(): void {
    this.#down = true;
    for (const socket of this.#open) socket.destroy();
  }

  restore(): void {
    this.#down = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  #take(socket: Socket, targetPort: number): void {
    this.taken += 1;
    if (this.#down) return void socket.destroy();
    const target = connect(targetPort, "127.0.0.1");
    for (const [one, other] of [[socket, target], [target, socket]] as const) {
      this.#open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.#open.delete(one);
        other.destroy();
      });
    }
    socket.pipe(target);
    target.pipe(socket);
  }
}
