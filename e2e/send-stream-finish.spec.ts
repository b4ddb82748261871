import { expect } from "@playwright/test";
import { test } from "./support/desk-test";
import { answerOf } from "./support/api";

test("a message is sent, its answer streams in and stays, and the page is ready for the next one", async ({ desk, api }) => {
  await desk.openFront();
  await desk.ask("think weighing it\nrun echo hello > note.txt && cat note.txt\nstream 60 15");
  await expect(desk.stopButton).toBeVisible();
  const sessionId = await desk.sessionId();
  await expect(desk.answers).toContainText("w1 w2");
  await desk.isIdle();
  const run = await api.newestRun(sessionId);
  expect(await desk.answerText()).toBe(answerOf(run));
  const card = await desk.openTool("echo hello > note.txt && cat note.txt");
  await expect(card).toContainText("hello");
  await desk.ask("say second answer");
  await expect(desk.answers.last()).toHaveText("second answer");
  await desk.isIdle();
});
