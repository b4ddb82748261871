/** An exported session as a download, streamed piece by piece. */
import { htmlPieces, markdownPieces } from "#sessions/export-text";
import { contentDisposition } from "./file-answer";
import type { Server } from "./server";

export type ExportFormat = "json" | "md" | "html";

const MIME: Readonly<Record<ExportFormat, string>> = {
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
};

/** Throws `session_not_found`. */
export async function exportAnswer(server: Server, sessionId: string, format: ExportFormat): Promise<Response> {
  const session = await server.sessions.read(sessionId);
  const makers: Readonly<Record<ExportFormat, () => AsyncIterable<string> | Promise<AsyncIterable<string>>>> = {
    json: () => server.sessions.exportJson(sessionId),
    md: () => markdownPieces(session, server.sessions.transcript(sessionId)),
    html: () => htmlPieces(session, server.sessions.transcript(sessionId)),
  };
  const pieces = (await makers[format]())[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": MIME[format],
      "content-disposition": contentDisposition("attachment", `${fileName(session.title)}.${format}`),
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    },
  });
}

function fileName(title: string): string {
  const name = title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return [...name].slice(0, 80).join("") || "session";
}
