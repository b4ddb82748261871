/** `read_file`: lines of a text file with their numbers, read in pieces so that its size does not matter. */
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { AppError } from "#protocol/errors";
import { detectMediaType, MEDIA_PROBE_BYTES } from "#workspace/media-type";
import { MAX_READABLE_BYTES, openFile, readStart } from "#workspace/read";
import { defineTool, oneLine } from "./define-tool";
import { firstCharacters } from "./text-excerpt";
import type { Tool, ToolContext, ToolOutcome } from "./tool-port";

const MAX_LINES = 2000;
const MAX_LINE_CHARACTERS = 2000;
/** Below what a result may have, with room for the notes. */
const MAX_CHARACTERS = 95_000;
const PIECE_BYTES = 256 * 1024;

const input = z.object({
  path: z.string().min(1).describe("A file in the workspace."),
  offset: z.number().int().min(1).nullish().describe("First line, from 1."),
  limit: z.number().int().min(1).max(MAX_LINES).nullish().describe("Lines at most; default and maximum 2000."),
});

interface LineWindow {
  readonly lines: readonly string[];
  /** Lines of the whole file. */
  readonly total: number;
}

/** Takes text in pieces, keeps the lines of the window, counts the others. */
class LineCollector {
  private readonly lines: string[] = [];
  private number = 1;
  private current = "";
  private length = 0;
  private room = MAX_CHARACTERS;

  constructor(
    private readonly first: number,
    private readonly limit: number,
  ) {}

  add(text: string): void {
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf("\n", start);
      const end = newline === -1 ? text.length : newline;
      // Two more than are shown: whether the line goes on, and a carriage return.
      if (this.wanted()) this.current += text.slice(start, Math.min(end, start + MAX_LINE_CHARACTERS + 2 - this.current.length));
      this.length += end - start;
      if (newline === -1) return;
      this.closeLine();
      start = newline + 1;
    }
  }

  finish(): LineWindow {
    if (this.length > 0) this.closeLine();
    return { lines: this.lines, total: this.number - 1 };
  }

  private wanted(): boolean {
    return this.number >= this.first && this.number < this.first + this.limit && this.room > 0;
  }

  private closeLine(): void {
    if (this.wanted()) {
      const whole = this.current.endsWith("\r") && this.length === this.current.length ? this.current.slice(0, -1) : this.current;
      const shown = whole.length > MAX_LINE_CHARACTERS ? `${firstCharacters(whole, MAX_LINE_CHARACTERS)}… [line cut, ${this.length} characters]` : whole;
      const numbered = `${String(this.number).padStart(6)}\t${shown}`;
      this.room -= numbered.length + 1;
      if (this.room >= 0 || this.lines.length === 0) this.lines.push(numbered);
    }
    this.number += 1;
    this.current = "";
    this.length = 0;
  }
}

async function readLines(handle: FileHandle, first: number, limit: number, signal: AbortSignal): Promise<LineWindow> {
  const decoder = new TextDecoder("utf-8");
  const collector = new LineCollector(first, limit);
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let position = 0; position <= MAX_READABLE_BYTES; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    collector.add(decoder.decode(buffer.subarray(0, bytesRead), { stream: true }));
  }
  collector.add(decoder.decode());
  return collector.finish();
}

function notesOf(window: LineWindow, first: number): readonly string[] {
  const last = first + window.lines.length - 1;
  const notes: string[] = [];
  if (last < window.total) notes.push(`[lines ${first} to ${last} of ${window.total}; go on with offset ${last + 1}]`);
  if (window.lines.some((line) => line.includes("\uFFFD"))) notes.push("[some bytes are no UTF-8 and are shown as \uFFFD; patch keeps them]");
  return notes;
}

async function readTool(path: string, first: number, limit: number, context: ToolContext): Promise<ToolOutcome> {
  // A file that came with a message is named by its whole path; nothing beside it can be reached.
  const attached = context.attachments.includes(path);
  const { handle, entry, key, version } = await openFile(attached ? dirname(path) : context.workspace, path);
  try {
    if (entry.size > MAX_READABLE_BYTES) throw new AppError("too_large", `${entry.path} has ${entry.size} bytes; use the terminal to look at a part of it.`);
    const head = await readStart(handle, MEDIA_PROBE_BYTES);
    if (head.includes(0)) {
      const mime = await detectMediaType(entry.name, head, head.length >= entry.size);
      return { status: "error", result: `${entry.path} is a binary file (${mime}, ${entry.size} bytes).` };
    }
    const window = await readLines(handle, first, limit, context.signal);
    if (first > 1 && first > window.total) return { status: "error", result: `${entry.path} has only ${window.total} lines.` };
    if (!attached) context.reads.set(key, version);
    const text = window.total === 0 ? "(empty file)" : [...window.lines, ...notesOf(window, first)].join("\n");
    const data = { kind: "file", path: entry.path, first_line: first, shown_lines: window.lines.length, total_lines: window.total, ...(attached ? {} : { seen: { key, version } }) };
    return { status: "ok", result: text, data };
  } finally {
    await handle.close();
  }
}

export function createReadFile(): Tool {
  return defineTool({
    name: "read_file",
    description: "Reads a text file of the workspace. Each line comes with its number and a tab, which are no part of it.",
    kind: "read",
    input,
    title: ({ path }) => oneLine(path),
    run: ({ path, offset, limit }, context) => readTool(path, offset ?? 1, limit ?? MAX_LINES, context),
  });
}
