/** The other half of the gate: when the process that owns the runs dies, the page says so, once, and the next message works. */
import { expect } from "@playwright/test";
import { answerOf } from "./support/api";
import { test } from "./support/desk-test";

test("the runner is killed in mid-answer: the mark names a restart, nothing shown is lost, and a new message runs without a reload (B107, B108)", async ({ desk, api, product }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await desk.ask("stream 5000 15");
  await expect(desk.answers).toContainText("w9");
  const shown = (await desk.answerText()).trim();
  const web = product.pidOf("web");
  const runner = product.kill("runner");
  await expect(desk.log.getByText(/^Interrupted by a restart/)).toBeVisible();
  await product.comesBack("runner", runner);
  await desk.ask("say here again");
  await expect(desk.answers.last()).toHaveText("here again");
  const [interrupted, next] = (await api.open(sessionId)).runs;
  expect(interrupted).toMatchObject({ terminal_state: "interrupted", error: { code: "runtime_interrupted" } });
  expect(next).toMatchObject({ terminal_state: "completed" });
  if (interrupted === undefined) throw new Error("There is no first run.");
  expect(answerOf(interrupted).startsWith(shown)).toBe(true);
  expect(product.pidOf("web"), "the web process is still the same").toBe(web);
  await desk.reload();
  await expect(desk.answers).toHaveText([answerOf(interrupted), "here again"]);
  await expect(desk.log.getByText(/^Interrupted by a restart/)).toHaveCount(1);
});
