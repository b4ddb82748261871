import { afterEach, beforeEach, expect, test } from "vitest";
import { done, requested, token, toolDone, toolStarted } from "#fold/run-story.fixture";
import { htmlPieces, markdownPieces } from "./export-text";
import { readSummary } from "./session-summary";
import { openTestRoom, type TestRoom } from "./sessions.fixture";
import { transcriptViews } from "./transcript-views";

let bench: TestRoom;
beforeEach(async () => {
  bench = await openTestRoom();
});
afterEach(() => bench.close());

const HOSTILE = `<script>alert(1)</script><img src=x onerror="alert(1)">`;

async function exports(session: string): Promise<{ readonly html: string; readonly markdown: string }> {
  const summary = await readSummary(bench.room, session);
  const read = async (pieces: AsyncIterable<string>): Promise<string> => {
    let text = "";
    for await (const piece of pieces) text += piece;
    return text;
  };
  return {
    html: await read(htmlPieces(summary, transcriptViews(bench.room, session))),
    markdown: await read(markdownPieces(summary, transcriptViews(bench.room, session))),
  };
}

test("an HTML export shows every word and runs none of them", async () => {
  const session = await bench.session(HOSTILE);
  await bench.run(session, [requested(["call_1"]), toolStarted("call_1"), toolDone("call_1", HOSTILE), token(HOSTILE), done()], { text: HOSTILE });
  const { html } = await exports(session);
  expect(html).not.toMatch(/<(script|img|a|iframe|link)\b/i);
  expect(html.split("&lt;script&gt;alert(1)&lt;/script&gt;").length - 1).toBeGreaterThanOrEqual(4);
});

test("a Markdown export keeps words as they are and fences output safely", async () => {
  const session = await bench.session("Notes");
  await bench.run(session, [requested(["call_1"]), toolStarted("call_1"), toolDone("call_1", "```\nnot the end\n```"), token("**done**"), done()], { text: "go" });
  const { markdown } = await exports(session);
  expect(markdown).toContain("## You\n\ngo\n");
  expect(markdown).toContain("````\n```\nnot the end\n```\n````");
  expect(markdown).toContain("**done**");
});

test("a transcript of many runs comes whole and in order", async () => {
  const session = await bench.session("Long");
  for (let number = 0; number < 45; number += 1) await bench.run(session, [done()], { text: `question ${number}.` });
  const { markdown } = await exports(session);
  expect([...markdown.matchAll(/question (\d+)\./g)].map((match) => Number(match[1]))).toEqual(Array.from({ length: 45 }, (_, index) => index));
});
