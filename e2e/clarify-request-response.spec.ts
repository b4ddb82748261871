/** RFC row "Clarify request/response": a question outlives its observers and its answer reaches the run byte for byte. */
import { expect } from "@playwright/test";
import { callReply, textReply } from "#testing/model-replies";
import { DeskPage } from "./support/desk-page";
import { conversation, SCRIPTED, test } from "./support/desk-test";
import { Product } from "./support/product";

const QUESTIONS = [
  { question: "Which way?", choices: ["north", "south"] },
  { question: "Which tools?", choices: ["axe", "rope", "lamp"], multi_select: true },
];

test("questions with one and with several choices and free words survive a reload and are answered once", async ({ desk, api, models }) => {
  models.script(conversation((_, turn) => (turn === 1 ? callReply([{ name: "clarify", arguments: { questions: QUESTIONS } }]) : textReply("thanks"))));
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.ask("prepare");
  await expect(desk.questions).toBeVisible();
  const runId = (await api.newestRun(sessionId)).run_id;
  const { pending_clarify_id } = await api.statusOf(runId);
  await desk.reload();
  expect((await api.statusOf(runId)).pending_clarify_id).toBe(pending_clarify_id);
  await expect(desk.questions.getByRole("button", { name: "Answer" })).toBeDisabled();
  await desk.questions.getByRole("radio", { name: "south" }).check();
  await desk.questions.getByRole("checkbox", { name: "axe" }).check();
  await desk.questions.getByRole("checkbox", { name: "lamp" }).check();
  await desk.questions.getByRole("textbox", { name: "Your answer" }).last().fill("blå 🧪");
  await desk.questions.getByRole("button", { name: "Answer" }).click();
  await expect(desk.answers).toHaveText(["thanks"]);
  await expect(desk.questions).toHaveCount(0);

  const run = await api.runOf(sessionId, runId);
  const part = run.parts.find((candidate) => candidate.type === "clarify");
  expect(Object.values(part?.answers ?? {})).toEqual(["south", ["axe", "lamp", "blå 🧪"]]);
  expect(run.parts.find((candidate) => candidate.type === "tool")?.result).toContain("blå 🧪");
  const again = await api.call("POST", "/api/clarify/respond", { session_id: sessionId, clarify_id: pending_clarify_id, response: "no" });
  expect(again.status).toBe(409);
  await desk.reload();
  await expect(desk.log.getByText(/^You answered/)).toHaveCount(1);
});

test("words in the composer while a question is open wait in the queue; the question still waits (B079)", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await desk.ask("ask Tea or coffee? | tea | coffee");
  await expect(desk.questions).toBeVisible();
  await desk.send("say from the queue");
  await expect(desk.page.getByRole("region", { name: "Next, in this order" })).toContainText("say from the queue");
  await expect(desk.questions).toBeVisible();
  await desk.questions.getByRole("radio", { name: "tea" }).check();
  await desk.questions.getByRole("button", { name: "Answer" }).click();
  await expect(desk.answers.last()).toHaveText("from the queue");
  expect((await api.open(sessionId)).runs).toHaveLength(2);
});

test("a question that ran out of time frees the composer and gives the typed words back as a draft (B073)", async ({ page, problems }) => {
  const product = await Product.start({ mode: "web-alone", env: { HERMES_CLARIFY_TIMEOUT_S: "4" } });
  try {
    const desk = new DeskPage(page, product.origin);
    const sessionId = await product.api.makeSession();
    await desk.open(sessionId);
    await desk.ask("ask Still there? | yes\n\nsay went on alone");
    await desk.questions.getByRole("textbox", { name: "Your answer" }).fill("not yet, because");
    const { pending_clarify_id } = await product.api.statusOf((await product.api.newestRun(sessionId)).run_id);
    await expect(desk.questions).toHaveCount(0);
    await expect(desk.answers).toHaveText(["went on alone"]);
    await expect(desk.message).toHaveValue("not yet, because");
    await expect(desk.message).toBeEnabled();
    const late = await product.api.call("POST", "/api/clarify/respond", { session_id: sessionId, clarify_id: pending_clarify_id, response: "late" });
    expect(late.status).toBe(409);
    await desk.message.fill("");
    await desk.reload();
    await expect(desk.questions).toHaveCount(0);
    await desk.ask("say next");
    await expect(desk.answers.last()).toHaveText("next");
    expect(problems).toEqual([]);
  } finally {
    await product.stop();
  }
});
