/** What is drawn while it grows, and what is drawn of very much. */
import { expect } from "@playwright/test";
import { z } from "zod";
import { deltaChunk, DONE_FRAME, frame, rawReply } from "#testing/model-replies";
import type { Api } from "./support/api";
import { conversation, SCRIPTED, test } from "./support/desk-test";

const FENCE = "Look:\n\n```js\nconst kite = `red`;\nfly(kite);\n```\n\nDone.";
const TURNS = 2_500;
const USABLE_MS = 3_000;
const MOST_NODES = 30_000;

test("a fence that comes letter by letter is code from the start, one element that only grows, without a stray backtick (B221)", async ({ desk, api, models }) => {
  const letters = [...FENCE].flatMap((content) => [frame(deltaChunk({ content })), { kind: "pause", ms: 6 } as const]);
  models.script(conversation(() => rawReply([...letters, frame(deltaChunk({}, "stop")), { kind: "bytes", bytes: DONE_FRAME }])));
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.page.evaluate(() => {
    const seen = new Set<Element>();
    new MutationObserver(() => {
      for (const code of document.querySelectorAll(".answer code")) seen.add(code);
      document.body.dataset["codes"] = String(seen.size);
      const words = [...document.querySelectorAll(".answer")].map((answer) => answer.textContent ?? "").join("");
      if (words.replace("`red`", "").replace(/= `(r(ed?)?)?$/, "").includes("`")) document.body.dataset["stray"] = words;
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await desk.ask("show me");
  await expect(desk.answers).toContainText("Done.");
  await desk.isIdle();
  await expect(desk.answers.locator("pre code")).toHaveText("const kite = `red`;\nfly(kite);");
  const seen = await desk.page.evaluate(() => ({ ...document.body.dataset }));
  expect(seen["codes"], "code elements that were ever made").toBe("1");
  expect(seen["stray"]).toBeUndefined();
});

test("a session of 5,000 messages opens at once, stays small, and its first words are found (B223)", async ({ desk, api }) => {
  test.slow();
  const sessionId = await importLongSession(api);
  const before = performance.now();
  await desk.open(sessionId);
  await expect(desk.answers.last()).toHaveText(`answer ${TURNS}`);
  expect(performance.now() - before, "milliseconds until it can be used").toBeLessThan(USABLE_MS);
  await desk.log.hover();
  for (const target of [200, 400, 600]) {
    await expect(async () => {
      await desk.page.mouse.wheel(0, -30_000);
      expect(await desk.turns.count()).toBeGreaterThan(target);
    }).toPass();
  }
  const nodes = await desk.page.evaluate(() => document.querySelectorAll("*").length);
  expect(nodes).toBeLessThan(MOST_NODES);

  await desk.page.keyboard.press("Control+k");
  await desk.page.keyboard.type("needle1x");
  await desk.page.getByRole("option").filter({ hasText: "needle1x" }).first().click();
  // All that lies between is loaded for it.
  await expect(desk.said("say the needle1x of it\nrun echo out")).toBeInViewport({ timeout: 60_000 });
});

const exportSchema = z.looseObject({
  session: z.looseObject({ title: z.string() }),
  runs: z.array(z.looseObject({ run_id: z.string(), events: z.array(z.record(z.string(), z.unknown())) })),
});

/** One real turn with a call, told again under other names and other words. */
async function importLongSession(api: Api): Promise<string> {
  const model = await api.makeSession();
  await api.run(model, "say the needle of it\nrun echo out");
  const exported = exportSchema.parse(await api.ask("GET", `/api/sessions/${model}/export?format=json`));
  const [first] = exported.runs;
  const told = JSON.stringify(first).replaceAll("Done.", "answer @").replaceAll("the needle of it", "the needle@x of it");
  const runs = Array.from({ length: TURNS }, (_, index): unknown =>
    JSON.parse(told.replaceAll("@", String(index + 1)).replaceAll(/(run|turn|msg|seg|call)_[0-9A-Z]{20}([0-9A-Z]{6})/g, (id) => id.slice(0, -6) + String(index).padStart(6, "0"))),
  );
  const made = await api.ask("POST", "/api/sessions/import", { ...exported, runs });
  return z.object({ session: z.looseObject({ session_id: z.string() }) }).parse(made).session.session_id;
}
