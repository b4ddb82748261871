/** RFC row "Slash commands": each does what it says by the runtime's own means, and the page shows only what the journal holds. */
import { expect } from "@playwright/test";
import { textReply } from "#testing/model-replies";
import { conversation, lastRequest, SCRIPTED, test } from "./support/desk-test";
import { answerOf } from "./support/api";

test("retry, undo, branch, title and compress change the conversation, here and after a reload", async ({ desk, api, models }) => {
  let turns = 0;
  models.script(conversation(() => textReply(`answer ${(turns += 1)}`), "A summary of all that was said."));
  const sessionId = await api.makeSession(SCRIPTED);
  for (const word of ["one", "two", "three", "four"]) await api.run(sessionId, `question ${word}`);
  await desk.open(sessionId);
  await expect(desk.answers).toHaveText(["answer 1", "answer 2", "answer 3", "answer 4"]);

  await desk.send("/retry");
  await expect(desk.answers).toHaveText(["answer 1", "answer 2", "answer 3", "answer 5"]);
  await expect(desk.said("question four")).toHaveCount(1);
  await desk.isIdle();
  await desk.send("/undo");
  await expect(desk.answers).toHaveText(["answer 1", "answer 2", "answer 3"]);
  await desk.reload();
  await expect(desk.answers).toHaveText(["answer 1", "answer 2", "answer 3"]);

  await desk.send("/title Kites   and lamps");
  await expect(desk.page.getByRole("heading", { name: "Kites and lamps" })).toBeVisible();
  await expect(desk.sessions.getByRole("link", { name: "Kites and lamps" })).toHaveCount(1);

  await desk.send("/branch Another way");
  await expect(desk.page).not.toHaveURL(new RegExp(sessionId));
  const branch = await desk.sessionId();
  await expect(desk.page.getByRole("heading", { name: "Another way" })).toBeVisible();
  await expect(desk.answers).toHaveText(["answer 1", "answer 2", "answer 3"]);
  await desk.ask("a turn of the branch");
  await expect(desk.answers.last()).toHaveText("answer 6");
  expect((await api.open(sessionId)).runs.map(answerOf)).toEqual(["answer 1", "answer 2", "answer 3"]);

  await desk.isIdle();
  await desk.send("/compress");
  await expect(desk.log.getByText(/^Earlier turns were summed up/)).toBeVisible();
  await desk.isIdle();
  await expect(desk.answers.first(), "the original stays readable").toHaveText("answer 1");
  await desk.ask("after the border");
  await expect(desk.answers.last()).toHaveText("answer 7");
  const request = lastRequest(models);
  expect(request).toContain("A summary of all that was said.");
  expect(request).not.toContain("question two");
  expect((await api.open(branch)).runs.map((run) => run.terminal_state)).not.toContain("failed");
});

test("the browser offers what the registry lists; text that only looks like a command is text, an unknown one is held back (B261)", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await desk.message.fill("/");
  const offered = await desk.page.getByRole("listbox", { name: "Commands" }).getByRole("option").count();
  const { commands } = await api.ask("GET", "/api/commands");
  expect(offered).toBe(Array.isArray(commands) ? commands.length : -1);
  await desk.message.fill("/he");
  await desk.message.press("Enter");
  await expect(desk.page.getByRole("status").filter({ hasText: "/compress" })).toBeVisible();
  await desk.message.fill("/unknowncmd x");
  await desk.message.press("Enter");
  await expect(desk.page.getByText(/unknowncmd/).last()).toBeVisible();
  await expect(desk.message).toHaveValue("/unknowncmd x");
  expect((await api.open(sessionId)).runs).toHaveLength(0);
  for (const text of ["/usr/bin/env is missing", "//", "／undo"]) {
    await desk.ask(text);
    await expect(desk.said(text)).toHaveCount(1);
    await desk.isIdle();
  }
  await desk.send("/stop");
  await expect(desk.page.getByText("Nothing is running.")).toBeVisible();
  expect((await api.open(sessionId)).runs).toHaveLength(3);
});
