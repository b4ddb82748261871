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

test("by the web process alone a run is started, answered, watched and stopped by routes of their own, and the process began once (B109)", async ({ legacy }) => {
  const { api } = legacy;
  for (let round = 0; round < 5; round += 1) {
    const sessionId = await api.makeSession();
    const runId = await api.start(sessionId, "run rm -r none-such || true\n\nstream 5000 10");
    const watching = api.events(runId);
    await api.reaches(runId, "awaiting_approval");
    const { pending_approval_id } = await api.statusOf(runId);
    await api.ask("POST", "/api/approval/respond", { session_id: sessionId, approval_id: pending_approval_id, choice: "once" });
    await expect.poll(async () => answerOf(await api.newestRun(sessionId))).toContain("w3");
    expect(await api.ask("POST", "/api/chat/cancel", { stream_id: runId })).toMatchObject({ cancelled: true });
    const events = await watching;
    expect(events.map((event) => event.type)).toEqual(expect.arrayContaining(["approval.requested", "approval.resolved", "tool.done", "token.delta"]));
    expect(events.filter((event) => event.terminal).map((event) => event.type)).toEqual(["cancelled"]);
  }
  const log = readFileSync(join(legacy.stateDirectory, "logs", "web.log"), "utf8");
  expect(log.split("\n").filter((line) => line.includes('"msg":"ready"'))).toHaveLength(1);
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
