/**
 * The reference: a bare Next application in a temporary directory, built for production by the same
 * Next on the same machine, with routes that do as little as can be done.
 *
 * `/pass?url=…` fetches an event stream and hands its body on. `/fan?url=…` does so once for all its
 * readers. `/replay` writes the frames of a file one by one as they are asked for.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "#testing/until";
import { freePortPair } from "../trials/free-ports";

const ROOT = join(import.meta.dirname, "..");
const NEXT = join(ROOT, "node_modules/next/dist/bin/next");
const READY_WITHIN_MS = 60_000;

const SSE = `{ "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache, no-transform" }`;
const FILES: Readonly<Record<string, string>> = {
  "package.json": `{ "name": "reference", "private": true, "type": "module" }`,
  "next.config.mjs": `export default { compress: false };`,
  "app/layout.js": `export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }`,
  "app/page.js": `export default function Page() { return <p>Hello</p>; }`,
  "app/pass/route.js": `
export const dynamic = "force-dynamic";
export async function GET(request) {
  const { searchParams } = new URL(request.url);
  const body = JSON.stringify({ messages: [{ role: "user", content: searchParams.get("message") }] });
  const upstream = await fetch(searchParams.get("url"), { method: "POST", headers: { "content-type": "application/json" }, body, cache: "no-store" });
  return new Response(upstream.body, { headers: ${SSE} });
}`,
  "app/fan/route.js": `
export const dynamic = "force-dynamic";
const readers = new Set();
let running = null;
async function pump(url, message) {
  const upstream = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ messages: [{ role: "user", content: message }] }), cache: "no-store" });
  for await (const piece of upstream.body) for (const reader of readers) reader.enqueue(piece);
  for (const reader of readers) reader.close();
  readers.clear();
  running = null;
}
export async function GET(request) {
  const { searchParams } = new URL(request.url);
  const stream = new ReadableStream({ start(controller) { readers.add(controller); controller.enqueue(new TextEncoder().encode(": ok\\n\\n")); } });
  running ??= pump(searchParams.get("url"), searchParams.get("message"));
  return new Response(stream, { headers: ${SSE} });
}`,
  "app/replay/route.js": `
import { readFileSync } from "node:fs";
export const dynamic = "force-dynamic";
let frames = null;
export async function GET(request) {
  const file = new URL(request.url).searchParams.get("file");
  frames ??= readFileSync(file, "utf8").split("\\n\\n").filter((frame) => frame !== "").map((frame) => new TextEncoder().encode(frame + "\\n\\n"));
  let at = 0;
  const stream = new ReadableStream({ pull(controller) { if (at < frames.length) controller.enqueue(frames[at++]); else controller.close(); } });
  return new Response(stream, { headers: ${SSE} });
}`,
};

export class ReferenceApp {
  private process: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async build(): Promise<ReferenceApp> {
    const folder = mkdtempSync(join(tmpdir(), "bench-reference-"));
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    execFileSync(process.execPath, [NEXT, "build", "--webpack"], { cwd: folder, env: environment(), stdio: ["ignore", "ignore", "inherit"] });
    return new ReferenceApp(folder, await freePortPair());
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }

  /** Resolves when the server says that it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [NEXT, "start", "-p", String(this.port), "-H", "127.0.0.1"], { cwd: this.folder, env: environment(), stdio: ["ignore", "pipe", "inherit"] });
    this.process = child;
    const ready = new Promise<void>((resolve) => {
      let said = "";
      child.stdout.on("data", (piece: Buffer) => {
        said += piece.toString("utf8");
        if (said.includes("Ready in")) resolve();
      });
    });
    await until(() => child.exitCode !== null || isSettled(ready), READY_WITHIN_MS);
    return ready;
  }

  async stop(): Promise<void> {
    const child = this.process;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await ended;
    this.process = null;
  }

  async clear(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const SETTLED = new WeakSet<Promise<unknown>>();

function isSettled(promise: Promise<unknown>): boolean {
  void promise.then(() => SETTLED.add(promise));
  return SETTLED.has(promise);
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: process.env["HOME"], NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
}
