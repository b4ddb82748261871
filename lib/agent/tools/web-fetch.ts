/** `web_fetch`: the text of a page. No address on a private network unless the maker allows it. */
import { z } from "zod";
import { type AllowInside, createAddressGuard } from "./address-guard";
import { defineTool, oneLine } from "./define-tool";
import { type FetchedPage, fetchPage } from "./fetch-page";
import { htmlToText } from "./html-text";
import { excerptOf } from "./text-excerpt";
import type { Tool, ToolOutcome } from "./tool-port";

const TEXT_CHARACTERS = 50_000;

const input = z.object({ url: z.string().min(1).max(8000).describe("Address that begins with https:// or http://.") });

export interface WebFetchOptions {
  /** Default: no address of a private network. */
  readonly allow_inside?: AllowInside;
}

function decode(bytes: Buffer, contentType: string): string {
  const named = /charset=["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? /<meta[^>]{0,200}charset=["']?([\w:.-]+)/i.exec(bytes.toString("latin1", 0, 2048))?.[1];
  try {
    return new TextDecoder(named ?? "utf-8").decode(bytes);
  } catch (error) {
    // A charset that nobody knows.
    if (error instanceof RangeError) return bytes.toString("utf8");
    throw error;
  }
}

function isText(page: Extract<FetchedPage, { kind: "page" }>): boolean {
  const type = page.content_type.toLowerCase();
  if (type === "") return !page.bytes.subarray(0, 1024).includes(0);
  return /^text\/|[/+](json|xml|javascript|yaml|x-ndjson)\b/.test(type);
}

function toOutcome(page: FetchedPage): ToolOutcome {
  if (page.kind === "failed") return { status: "error", result: page.message };
  const facts = { kind: "page", url: page.url, status: page.status, content_type: page.content_type, bytes: page.bytes.length };
  if (!isText(page)) return { status: "error", result: `${page.url} is no text (${page.content_type}, ${page.bytes.length} bytes).`, data: facts };
  const whole = decode(page.bytes, page.content_type);
  const isHtml = page.content_type.toLowerCase().includes("html") || /^\s*<(!doctype html|html)/i.test(whole.slice(0, 500));
  const { title, text } = isHtml ? htmlToText(whole) : { title: "", text: whole };
  const cut = excerptOf(text, TEXT_CHARACTERS, (shown, total) => `[page cut: ${shown} of ${total} characters shown]`);
  const head = [title, page.url, page.status >= 400 ? `HTTP status ${page.status}` : "", page.cut ? "[only the first 2 MiB were read]" : ""].filter((line) => line !== "");
  return {
    status: page.status >= 400 ? "error" : "ok",
    result: `${head.join("\n")}\n\n${cut.text}`,
    ...(cut.shown < cut.total ? { truncated: { shown: cut.shown, total: cut.total } } : {}),
    data: { ...facts, title },
  };
}

export function createWebFetch(options: WebFetchOptions = {}): Tool {
  const guard = createAddressGuard(options.allow_inside ?? (() => false));
  return defineTool({
    name: "web_fetch",
    description: "Opens a public web page and answers its text.",
    kind: "web",
    input,
    title: ({ url }) => oneLine(url),
    async run({ url }, { signal }) {
      const page = await fetchPage(url, guard, signal);
      return signal.aborted ? { status: "cancelled", result: "[stopped]" } : toOutcome(page);
    },
  });
}
