/** RFC row "Cancel during reasoning": what was thought and said stays, and the end is cancelled, no provider error. */
import { expect } from "@playwright/test";
import { frame, deltaChunk, rawReply } from "#testing/model-replies";
import { answerOf } from "./support/api";
import { conversation, SCRIPTED, test } from "./support/desk-test";
import { thinking } from "./support/gated-words";

test("Stop while only reasoning has come keeps the thought, closes the model's connection and shows no failure (B053)", async ({ desk, api, models }) => {
  models.script(conversation(() => rawReply([...thinking(["first this, ", "then that"]), { kind: "hold" }])));
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.ask("ponder");
  await desk.log.getByRole("button", { name: /^Thinking for/ }).click();
  await expect(desk.log.getByText("first this, then that")).toBeVisible();
  const asked = models.chats.at(-1);
  await desk.stopButton.click();
  expect(await asked?.closed).toBe("client");
  await expect(desk.log.getByText(/^Stopped by you/)).toBeVisible();
  await expect(desk.log.getByText("first this, then that")).toBeVisible();
  const run = await api.newestRun(sessionId);
  expect(run).toMatchObject({ terminal_state: "cancelled", error: null });
  expect(run.parts.filter((part) => part.type === "reasoning").map((part) => part.text)).toEqual(["first this, then that"]);
  await desk.reload();
  await desk.log.getByRole("button", { name: /^Thought for/ }).click();
  await expect(desk.log.getByText("first this, then that")).toHaveCount(1);
});

test("Stop in mid-answer keeps exactly the words that had come, with and without a reload (B040, B041)", async ({ desk, api, models }) => {
  const words = ["Quartz", " lamp", " over"].map((content) => frame(deltaChunk({ content })));
  models.script(conversation(() => rawReply([...words, { kind: "hold" }])));
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.ask("describe it");
  await expect(desk.answers).toHaveText(["Quartz lamp over"]);
  await desk.stopButton.click();
  await expect(desk.log.getByText(/^Stopped by you/)).toBeVisible();
  await expect(desk.answers).toHaveText(["Quartz lamp over"]);
  const run = await api.newestRun(sessionId);
  expect(answerOf(run)).toBe("Quartz lamp over");
  expect(run).toMatchObject({ terminal_state: "cancelled", error: null });
  await desk.reload();
  await expect(desk.answers).toHaveText(["Quartz lamp over"]);
  await expect(desk.log.getByText(/^Stopped by you/)).toHaveCount(1);
});
