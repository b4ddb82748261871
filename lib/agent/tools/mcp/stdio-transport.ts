/**
 * An MCP server that is a program: one JSON message a line, in by its stdin, out by its stdout.
 *
 * P3 It gets the clean environment of every child of ours, not the owner's, and it dies with its
 * owner: in a session and process group of its own, marked like a background process, so that its
 * whole tree is ended by `close` and found again after its owner was killed. Lines that are no
 * message are passed over, because many servers print there; one that prints nothing else is closed.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { spawnEnvironment } from "#workspace/spawn-environment";
import type { ChildMark } from "../child-mark";
import type { ProcessTable } from "../process-table";
import { createProcessFinder, type ProcessFinder, stopProcesses } from "../stop-processes";
import { createRollingText, plainText } from "../text-excerpt";

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment, mark included. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mark: ChildMark;
  readonly table: ProcessTable;
}

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_STRAY_LINES = 1000;
const LAST_WORDS_CHARACTERS = 2000;
/** For a server that ends by itself when its input ends. */
const LEAVE_MS = 500;
/** For the last message of one that ended, when others still hold its output open. */
const LAST_OUTPUT_MS = 200;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly incoming = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
  private readonly said = createRollingText(LAST_WORDS_CHARACTERS);
  private child: ChildProcessWithoutNullStreams | null = null;
  private finder: ProcessFinder | null = null;
  private exited: Promise<void> = Promise.resolve();
  private closing: Promise<void> | null = null;
  private strayLines = 0;
  private exit: string | null = null;

  constructor(private readonly program: ServerProgram) {}

  /** How it ended and the last line that it wrote for people, as far as is known. */
  get lastWords(): string {
    const line = plainText(this.said.read()).trim().split("\n").at(-1) ?? "";
    return [this.exit, line].filter((part) => part !== null && part !== "").join(": ");
  }

  async start(): Promise<void> {
    const { command, args, cwd, environment, mark, table } = this.program;
    const child = spawn(command, [...args], { cwd, env: spawnEnvironment(environment), stdio: ["pipe", "pipe", "pipe"], detached: true });
    const { pid } = child;
    if (pid === undefined) {
      const error = await new Promise<Error>((resolve) => child.once("error", resolve));
      throw new Error(`It could not be started: ${error.message}`, { cause: error });
    }
    const birth = table.birth(pid);
    this.child = child;
    this.finder = createProcessFinder(table, { isMarked: ({ tree }) => tree === mark.tree, roots: [{ pid, birth }], since: birth.earliest });
    this.exited = new Promise((resolve) => child.once("exit", () => resolve()));
    child.once("exit", (code, signal) => {
      this.exit ??= signal === null ? `It ended with exit code ${code ?? 0}` : `It ended by signal ${signal}`;
      void this.close();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.said.add(text));
    child.stdout.on("data", (bytes: Buffer) => this.take(bytes));
    // What goes wrong here shows in the end of the process, or in a call that gets no answer.
    for (const stream of [child, child.stdin, child.stdout, child.stderr]) stream.on("error", (error: Error) => this.onerror?.(error));
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { child } = this;
    if (child === null || this.closing !== null) return Promise.reject(new Error("The server is not running."));
    return new Promise((resolve, reject) => {
      child.stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** In at most 11 s; never rejects. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    const { child, finder } = this;
    if (child !== null && finder !== null) {
      child.stdin.end();
      if (this.exit === null) await Promise.race([this.exited, sleep(LEAVE_MS, undefined, { ref: false })]);
      else await Promise.race([new Promise((resolve) => child.once("close", resolve)), sleep(LAST_OUTPUT_MS, undefined, { ref: false })]);
      await stopProcesses(finder);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }
    this.incoming.clear();
    this.onclose?.();
  }

  private take(bytes: Buffer): void {
    try {
      this.incoming.append(bytes);
    } catch {
      this.giveUp(`It sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
      return;
    }
    while (this.takeLine()) if (this.strayLines > MAX_STRAY_LINES) return this.giveUp("What it prints is not of this protocol");
  }

  /** False when there is no whole line left. */
  private takeLine(): boolean {
    try {
      const message = this.incoming.readMessage();
      if (message === null) return false;
      this.strayLines = 0;
      this.onmessage?.(message);
    } catch {
      this.strayLines += 1; // The line is used up; the next may be a message.
    }
    return true;
  }

  private giveUp(reason: string): void {
    this.exit ??= reason;
    this.child?.stdout.removeAllListeners("data").resume();
    void this.close();
  }
}
