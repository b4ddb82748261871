/** The main job, from keystroke to pixel: under the supervisor with a runner, and by `next start` alone. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { answerOf } from "./support/api";
import { DeskPage } from "./support/desk-page";
import { test } from "./support/desk-test";
import type { Product } from "./support/product";

const COMMAND = "echo hello > note.txt && cat note.txt && rm -r note.txt";

test("a message is sent, asks, works on real files, streams and ends: with a runner", async ({ page, product, problems }) => {
  const desk = new DeskPage(page, product.origin);
  await desk.open(await product.api.makeSession());
  await doTheMainJob(desk, product);
  expect(problems).toEqual([]);
});

test("a message is sent, asks, works on real files, streams and ends: by the web process alone", async ({ page, legacy, problems }) => {
  // Its first page: nobody has used this one before.
  const desk = new DeskPage(page, legacy.origin);
  await desk.openFront();
  await doTheMainJob(desk, legacy);
  expect(problems).toEqual([]);
});

async function doTheMainJob(desk: DeskPage, product: Product): Promise<void> {
  await desk.message.fill(`think weighing it\nrun ${COMMAND}\nwrite kept.txt: by the agent\nplan fold; fly\n\nstream 60 15`);
  await desk.message.press("Enter");
  const sessionId = await desk.sessionId();
  await expect(desk.approvals).toContainText(COMMAND);
  await desk.approvals.getByRole("button", { name: "Approve once" }).click();
  await expect(desk.stopButton).toBeVisible();
  await expect(desk.answers).toContainText("w1 w2");
  await desk.isIdle();
  const run = await product.api.newestRun(sessionId);
  expect(run.terminal_state).toBe("completed");
  expect(await desk.answerText()).toBe(answerOf(run));
  await expect(await desk.openTool(COMMAND)).toContainText("hello");
  expect(readFileSync(join(product.workspace, "kept.txt"), "utf8")).toContain("by the agent");
  expect(existsSync(join(product.workspace, "note.txt"))).toBe(false);
  await desk.ask("say second answer");
  await expect(desk.answers.last()).toHaveText("second answer");
  await desk.isIdle();
  await desk.hasNoSidewaysScroll();
  await expect(desk.sessions.getByRole("link", { name: (await product.api.open(sessionId)).session.title, exact: true })).toHaveAttribute("aria-current", "page");
}
