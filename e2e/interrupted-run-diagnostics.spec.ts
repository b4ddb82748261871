/** RFC row "Interrupted/stale run diagnostics": where the web process owns the runs, its death is told, never covered up. */
import { expect } from "@playwright/test";
import { answerOf } from "./support/api";
import { DeskPage } from "./support/desk-page";
import { test } from "./support/desk-test";
import { Product } from "./support/product";

test("a web process that is killed in mid-run leaves an interrupted turn with what was shown, a prompt that still waits, and a session that goes on", async ({ page, problems }) => {
  const product = await Product.start({ mode: "web-alone" });
  try {
    const { api } = product;
    const desk = new DeskPage(page, product.origin);
    const waiting = await api.makeSession();
    const prompt = await api.start(waiting, "run rm -r left");
    await api.reaches(prompt, "awaiting_approval");
    const { pending_approval_id } = await api.statusOf(prompt);

    const sessionId = await api.makeSession();
    await desk.open(sessionId);
    await desk.ask("run echo before && sleep 0.01\n\nstream 3000 15");
    await expect(desk.answers).toContainText("w9");
    const runId = (await api.newestRun(sessionId)).run_id;
    const before = (await desk.answerText()).trim();

    product.kill("web");
    await expect(desk.connection).toContainText(/Connection lost/);
    await product.launch();
    await expect(desk.log.getByText(/^Interrupted by a restart/)).toBeVisible();
    await expect(desk.connection).toContainText("Connected");

    const run = await api.runOf(sessionId, runId);
    expect(run).toMatchObject({ status: "failed", terminal_state: "interrupted", error: { code: "runtime_interrupted" } });
    expect(answerOf(run).startsWith(before), "what was shown is lost").toBe(true);
    await desk.reload();
    await expect(desk.answers).toHaveText([answerOf(run)]);
    await expect(desk.log.getByText(/^Interrupted by a restart/)).toHaveCount(1);
    await expect(desk.tool("echo before && sleep 0.01")).toHaveCount(1);
    await desk.log.getByRole("button", { name: "Details" }).click();
    await expect(desk.log.getByText("runtime_interrupted")).toBeVisible();

    await desk.log.getByRole("button", { name: "Continue" }).click();
    await expect(desk.log.locator("[data-turn]")).toHaveCount(2);
    await desk.isIdle();
    await desk.ask("say a new turn works");
    await expect(desk.answers.last()).toHaveText("a new turn works");

    expect((await api.statusOf(prompt)).pending_approval_id).toBe(pending_approval_id);
    await desk.open(waiting);
    await desk.approvals.getByRole("button", { name: "Approve once" }).click();
    expect(await api.ends(prompt)).toBe("completed");
    await expect(desk.approvals).toHaveCount(0);
    expect(problems).toEqual([]);
  } finally {
    await product.stop();
  }
});
