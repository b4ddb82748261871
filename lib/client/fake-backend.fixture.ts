/**
 * A real loopback server that answers as the product's does, from stories in memory: GET session,
 * the session list, the page's event route with several sessions in one stream, start and queue with
 * idempotency. Tests commit events, drop or mute streams, and hold answers back.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JournalEvent } from "#protocol/events";
import type { OpenedSession } from "#protocol/session-shapes";
import { openedAfter, summary } from "#fold/session-story.fixture";

interface OpenStream {
  readonly response: ServerResponse;
  readonly sessions: Set<string>;
  readonly url: string;
}

export interface ReceivedPost {
  readonly path: string;
  readonly key: string | null;
  readonly body: Record<string, unknown>;
}

export class FakeBackend {
  readonly posts: ReceivedPost[] = [];
  /** Addresses of all streams ever opened, in order. */
  readonly streamUrls: string[] = [];
  /** Answers of the next posts, first come first served: a status, or null to drop the connection after doing it. */
  readonly plannedPosts: (number | null)[] = [];
  readonly requests: string[] = [];
  /** While set, GET session waits for it. */
  holdOpenings: Promise<void> | null = null;
  /** While true, streams are refused. */
  refusing: number | null = null;
  readonly #stories = new Map<string, JournalEvent[]>();
  readonly #streams = new Set<OpenStream>();
  readonly #answers = new Map<string, string>();
  readonly #server: Server;
  #muted = false;
  #ping: NodeJS.Timeout | null = null;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<FakeBackend> {
    const server = createServer();
    const backend = new FakeBackend(server);
    server.on("request", (request, response) => void backend.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    backend.#ping = setInterval(() => backend.#write(": ping\n\n"), 200);
    return backend;
  }

  get origin(): string {
    const address = this.#server.address();
    return isListening(address) ? `http://127.0.0.1:${address.port}` : "";
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** A stream is open that carries this session. */
  carries(sessionId: string): boolean {
    return [...this.#streams].some((stream) => stream.sessions.has(sessionId));
  }

  add(sessionId: string, events: readonly JournalEvent[] = []): void {
    this.#stories.set(sessionId, [...events]);
  }

  remove(sessionId: string): void {
    this.#stories.delete(sessionId);
  }

  commit(...events: readonly JournalEvent[]): void {
    for (const event of events) this.#stories.get(event.session_id)?.push(event);
    for (const stream of this.#streams) {
      const carried = events.filter((event) => stream.sessions.has(event.session_id));
      if (!this.#muted && carried.length > 0) stream.response.write(carried.map(frame).join(""));
    }
  }

  /** What GET session answers now. */
  opened(sessionId: string): OpenedSession {
    return openedAfter(sessionId, this.#stories.get(sessionId) ?? []);
  }

  /** Takes events out of what streams replay, as a server would that lost them: a gap. */
  skipInStreams(event: JournalEvent): void {
    this.#stories.get(event.session_id)?.push(event);
  }

  tellListChanged(): void {
    this.#write("event: sessions\ndata: {}\n\n");
  }

  tellRaw(text: string): void {
    this.#write(text);
  }

  dropStreams(): void {
    for (const { response } of this.#streams) response.destroy();
    this.#streams.clear();
  }

  /** Streams stay open and say nothing any more, pings neither; new ones are not answered. */
  mute(muted: boolean): void {
    this.#muted = muted;
  }

  async close(): Promise<void> {
    if (this.#ping !== null) clearInterval(this.#ping);
    this.dropStreams();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #write(text: string): void {
    if (this.#muted) return;
    for (const { response } of this.#streams) response.write(text);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://backend");
    this.requests.push(`${request.method ?? ""} ${url.pathname}`);
    if (request.method === "POST") return this.#post(request, response, url.pathname);
    if (url.pathname === "/base/api/events") return this.#stream(response, url);
    if (url.pathname === "/base/api/sessions") {
      const sessions = [...this.#stories.keys()].map((id) => summary(id));
      return json(response, 200, { sessions, next_cursor: null });
    }
    const sessionId = /^\/base\/api\/sessions\/([^/]+)$/.exec(url.pathname)?.[1] ?? "";
    const story = this.#stories.get(sessionId);
    if (story === undefined) return json(response, 404, { error: { code: "session_not_found", message: "There is no such session." } });
    const limit = Number(url.searchParams.get("runs") ?? 20);
    const before = url.searchParams.get("before");
    const upTo = before === null ? story.length : story.findIndex((event) => event.run_id === before);
    const answer = openedAfter(sessionId, story.slice(0, upTo), limit);
    await this.holdOpenings;
    // Read, then late: what is committed meanwhile is not in the answer.
    for (let turn = (this.requests.length * 7) % 20; turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
    return json(response, 200, answer);
  }

  #stream(response: ServerResponse, url: URL): void {
    this.streamUrls.push(url.search);
    if (this.refusing !== null) return json(response, this.refusing, { error: { code: "too_many_streams", message: "Too many." } });
    if (this.#muted) return;
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write(": hello\n\n");
    const sessions = new Set<string>();
    for (const subscription of url.searchParams.getAll("s")) {
      const [sessionId = "", cursor = ""] = subscription.split("~");
      const story = this.#stories.get(sessionId);
      if (story === undefined) {
        response.write(`event: gone\ndata: ${JSON.stringify({ session_id: sessionId })}\n\n`);
        continue;
      }
      sessions.add(sessionId);
      const at = cursor === "" ? -1 : story.findIndex((event) => event.event_id === cursor);
      const isLost = cursor !== "" && at === -1;
      if (isLost) response.write(`event: reset\ndata: ${JSON.stringify({ session_id: sessionId, reason: "malformed" })}\n\n`);
      response.write(story.slice(at + 1).map(frame).join(""));
    }
    const stream: OpenStream = { response, sessions, url: url.search };
    this.#streams.add(stream);
    response.on("close", () => this.#streams.delete(stream));
  }

  async #post(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const text = await readText(request);
    const key = request.headers["idempotency-key"];
    const body: Record<string, unknown> = request.headers["content-type"] === "application/json" ? JSON.parse(text) : { raw: text };
    this.posts.push({ path, key: typeof key === "string" ? key : null, body });
    const planned = this.plannedPosts.shift();
    if (planned !== undefined && planned !== null && planned >= 400) {
      return json(response, planned, { error: { code: planned === 409 ? "not_active" : "runner_unavailable", message: "Not now." } });
    }
    const known = typeof key === "string" ? this.#answers.get(key) : undefined;
    const answer = known ?? JSON.stringify(postAnswer(path, body, this.posts.length));
    if (typeof key === "string") this.#answers.set(key, answer);
    if (planned === null) return void request.socket.destroy();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(answer);
  }
}

function postAnswer(path: string, body: Record<string, unknown>, number: number): unknown {
  if (path.endsWith("/attachments")) return { attachment_id: `att_${number}`, name: "note.txt", mime: "text/plain", size: 4, is_image: false };
  if (path.endsWith("/sessions")) return { session: summary(`ses_made${number}`) };
  if (path.endsWith("/queue")) return { accepted: true, status: "queued", queue_id: `que_${number}` };
  if (path.endsWith("/start")) {
    const session_id = body["session_id"] ?? `ses_made${number}`;
    return { stream_id: `run_${number}`, session_id, pending_started_at: 1, turn_id: "turn_1", title: "x" };
  }
  return { ok: true, name: "x", message: "Done.", choice: body["choice"] };
}

function isListening(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

function frame(event: JournalEvent): string {
  return `id: ${event.event_id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
