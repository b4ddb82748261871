/** Something that answers at a runner's address as the test says: lies, hangs, redirects, or passes on. Keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";

export type FakeAnswer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface FakeRunner {
  readonly url: string;
  readonly port: number;
  readonly asked: readonly { readonly method: string; readonly path: string; readonly authorization: string | null }[];
  answer(how: FakeAnswer): void;
  close(): Promise<void>;
}

const addressSchema = z.object({ port: z.number() });

export async function startFakeRunner(how: FakeAnswer, port = 0): Promise<FakeRunner> {
  let current = how;
  const asked: FakeRunner["asked"][number][] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push({ method: incoming.method ?? "", path: incoming.url ?? "", authorization: incoming.headers.authorization ?? null });
    current(incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const taken = addressSchema.parse(server.address()).port;
  return {
    ...{ url: `http://127.0.0.1:${taken}`, port: taken, asked },
    answer: (next) => {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function says(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): FakeAnswer {
  return (_, outgoing) => {
    outgoing.writeHead(status, { "content-type": "application/json", ...headers });
    outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Takes the request and never answers. */
export const hangs: FakeAnswer = () => undefined;
