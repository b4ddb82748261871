/** RFC row "Queue/continue": words for a busy session wait in the runtime, in order, bound to it, and start by themselves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { textReply } from "#testing/model-replies";
import { answerOf } from "./support/api";
import { DeskPage } from "./support/desk-page";
import { conversation, SCRIPTED, test } from "./support/desk-test";
import { gatedWords } from "./support/gated-words";

test("messages that wait are kept over a reload, can be changed, and run one by one when the turn ends (B082, B086)", async ({ desk, api, models, browser, product }) => {
  const first = gatedWords(2, 5, 5);
  let turn = 0;
  models.script(conversation(() => ((turn += 1) === 1 ? first.reply : textReply(`answer ${turn}`))));
  const [sessionId, idle] = await Promise.all([api.makeSession(SCRIPTED), api.makeSession(SCRIPTED)]);
  await desk.open(sessionId);
  await desk.ask("the long one");
  await expect(desk.stopButton).toBeVisible();
  for (const word of ["red", "green", "blue"]) await desk.send(`queued ${word}`);
  const queue = desk.page.getByRole("region", { name: "Next, in this order" });
  await expect(queue.getByRole("listitem")).toHaveText([/queued red/, /queued green/, /queued blue/]);
  await desk.reload();
  const other = new DeskPage(await (await browser.newContext()).newPage(), product.origin);
  await other.open(sessionId);
  const seen = other.page.getByRole("region", { name: "Next, in this order" }).getByRole("listitem");
  await expect(seen).toHaveText([/queued red/, /queued green/, /queued blue/]);

  await queue.getByRole("button", { name: "Move up or down" }).nth(2).press("ArrowUp");
  await expect(seen).toHaveText([/queued red/, /queued blue/, /queued green/]);
  await queue.getByRole("button", { name: "Edit" }).first().click();
  await queue.getByRole("textbox", { name: "Queued message" }).fill("queued crimson");
  await queue.getByRole("textbox", { name: "Queued message" }).press("Enter");
  await queue.getByRole("button", { name: "Remove" }).nth(1).click();
  await expect(seen).toHaveText([/queued crimson/, /queued green/]);
  await other.page.context().close();

  // Whoever looks elsewhere changes nothing about where they go.
  await desk.open(idle);
  first.gates[0]?.open();
  await expect.poll(async () => (await api.open(sessionId)).runs.map(answerOf)).toEqual([first.text, "answer 2", "answer 3"]);
  expect((await api.open(idle)).runs).toHaveLength(0);
  const { runs } = await api.open(sessionId);
  expect(runs.map((run) => run.message?.text)).toEqual(["the long one", "queued crimson", "queued green"]);
  expect(runs.map((run) => run.source)).toEqual(["webui", "queue", "queue"]);
  await desk.open(sessionId);
  await expect(desk.answers).toHaveText([first.text, "answer 2", "answer 3"]);
});

test("a stop holds the queue until the person goes on; steering and interrupting reach the turn that runs (B084)", async ({ desk, api, product }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await desk.ask("run sleep 60");
  await expect(desk.tool("sleep 60")).toBeVisible();
  await desk.send("say it was held");
  await desk.stopButton.click();
  const held = desk.page.getByRole("region", { name: "Held since the turn was stopped" });
  await expect(held.getByRole("listitem")).toHaveText([/say it was held/]);
  await desk.isIdle();
  await held.getByRole("button", { name: "Continue" }).click();
  await expect(desk.answers).toHaveText(["it was held"]);
  await desk.isIdle();

  const go = join(product.workspace, `go-${sessionId}`);
  await desk.ask(`run until [ -e ${go} ]; do sleep 0.05; done\n\nsay one\n\nrun sleep 60`);
  const modes = desk.page.getByRole("radiogroup", { name: "While the agent works" });
  await modes.getByRole("radio", { name: "Steer" }).check();
  await desk.send("mind the gap");
  await expect(desk.log.getByText(/^You added.*mind the gap.*, not read yet/)).toBeVisible();
  writeFileSync(go, "");
  await expect(desk.log.getByText(/^You added.*mind the gap.*, read/)).toBeVisible();
  await modes.getByRole("radio", { name: "Interrupt" }).check();
  await desk.send("say interrupted");
  await expect(desk.answers.last()).toHaveText("interrupted");
  await desk.isIdle();
  const { runs, queue } = await api.open(sessionId);
  expect(runs.map((run) => run.terminal_state)).toEqual(["cancelled", "completed", "cancelled", "completed"]);
  expect(queue).toHaveLength(0);
});
