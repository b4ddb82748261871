/**
 * A transcript to read: Markdown, or one HTML file without scripts, links or anything that loads.
 * Words of people and models are escaped in HTML; in Markdown tool output stands in fences that are
 * longer than any inside it.
 */
import type { PartOf, RunView, ViewPart } from "#protocol/run-view";
import type { SessionSummary } from "#protocol/session-shapes";

export async function* markdownPieces(session: SessionSummary, views: AsyncIterable<RunView>): AsyncGenerator<string> {
  yield `# ${session.title}\n`;
  for await (const view of views) {
    if (view.message !== null) yield `\n## You\n\n${view.message.text}\n${attachmentLines(view)}`;
    yield `\n## ${view.model}\n`;
    for (const part of view.parts) yield markdownPart(part);
  }
}

const STYLE =
  "body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1c1b19;background:#fff}" +
  "h2{font-size:.85rem;color:#6b675f;margin:2rem 0 .5rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f3ef;padding:.75rem;border-radius:6px;font-size:.85rem}" +
  "div{white-space:pre-wrap;overflow-wrap:anywhere}.quiet{color:#6b675f}";

export async function* htmlPieces(session: SessionSummary, views: AsyncIterable<RunView>): AsyncGenerator<string> {
  const title = escapeHtml(session.title);
  yield `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">`;
  yield `<title>${title}</title><style>${STYLE}</style></head><body><h1>${title}</h1>\n`;
  for await (const view of views) {
    if (view.message !== null) yield `<h2>You</h2><div>${escapeHtml(view.message.text)}${escapeHtml(attachmentLines(view))}</div>\n`;
    yield `<h2>${escapeHtml(view.model)}</h2>\n`;
    for (const part of view.parts) yield htmlPart(part);
  }
  yield "</body></html>\n";
}

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function attachmentLines(view: RunView): string {
  return (view.message?.attachments ?? []).map((attachment) => `\n[${attachment.name}]\n`).join("");
}

/** What of a part is read: words, or output under a heading; null where there is nothing to read. */
type Readable = { readonly kind: "words"; readonly text: string } | { readonly kind: "output"; readonly heading: string; readonly text: string };

function readable(part: ViewPart): Readable | null {
  switch (part.type) {
    case "text":
      return { kind: "words", text: part.text };
    case "reasoning":
      return { kind: "output", heading: "Thinking", text: part.text };
    case "tool":
      return { kind: "output", heading: `${part.name}: ${part.title} (${part.status})`, text: toolOutput(part) };
    case "approval":
      return { kind: "output", heading: `Approval: ${part.summary} (${part.status})`, text: part.command ?? "" };
    case "clarify":
      return { kind: "output", heading: `Question (${part.status})`, text: part.questions.map((question) => `${question.question}\n${answerText(part, question.id)}`).join("\n") };
    case "todo":
      return { kind: "output", heading: "Plan", text: part.items.map((item) => `[${item.status === "completed" ? "x" : " "}] ${item.text}`).join("\n") };
    case "steer":
      return { kind: "output", heading: "You, meanwhile", text: part.text };
    case "progress":
      return part.kind === "compressed" ? { kind: "output", heading: "Compressed", text: part.summary ?? part.text } : null;
    case "error":
      return { kind: "output", heading: `Error: ${part.code}`, text: part.message };
  }
}

function toolOutput(part: PartOf<"tool">): string {
  return part.result ?? `${part.stdout}${part.stderr}`;
}

function answerText(part: PartOf<"clarify">, questionId: string): string {
  const answer = part.answers[questionId];
  if (answer === undefined) return "";
  return typeof answer === "string" ? answer : answer.join(", ");
}

function markdownPart(part: ViewPart): string {
  const shown = readable(part);
  if (shown === null || (shown.kind === "words" && shown.text.trim() === "")) return "";
  if (shown.kind === "words") return `\n${shown.text}\n`;
  const heading = shown.heading.replace(/\s+/g, " ").replace(/[*_`\\[\]<>]/g, (character) => `\\${character}`);
  if (shown.text === "") return `\n*${heading}*\n`;
  const longest = [...shown.text.matchAll(/`+/g)].reduce((most, run) => Math.max(most, run[0].length), 2);
  const fence = "`".repeat(longest + 1);
  return `\n*${heading}*\n\n${fence}\n${shown.text}\n${fence}\n`;
}

function htmlPart(part: ViewPart): string {
  const shown = readable(part);
  if (shown === null) return "";
  if (shown.kind === "words") return `<div>${escapeHtml(shown.text)}</div>\n`;
  return `<p class="quiet">${escapeHtml(shown.heading)}</p>${shown.text === "" ? "" : `<pre>${escapeHtml(shown.text)}</pre>`}\n`;
}
