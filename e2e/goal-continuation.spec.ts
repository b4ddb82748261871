/** RFC row "Goal continuation": the runtime judges and goes on by itself; Stop pauses, and what stands is replayed. */
import { expect } from "@playwright/test";
import { test } from "./support/desk-test";

test("a goal goes on turn by turn without a page, pauses at Stop, stays paused over a reload, resumes and is cleared", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await desk.page.getByRole("button", { name: "More" }).click();
  await desk.page.getByRole("menuitem", { name: "Set a goal" }).click();
  await desk.page.getByRole("textbox", { name: "When is it reached?" }).fill("judge continue");
  await desk.page.getByRole("button", { name: "Start" }).click();
  await expect(desk.log.getByText(/^Went on with the goal/).first()).toBeVisible();
  await desk.page.goto("about:blank");
  const turns = (await api.open(sessionId)).goal?.turns_used ?? 0;
  await expect.poll(async () => (await api.open(sessionId)).goal?.turns_used ?? 0).toBeGreaterThan(turns);

  await desk.open(sessionId);
  const panel = desk.page.getByRole("complementary", { name: "Workspace" });
  await expect(panel.getByText("judge continue", { exact: true })).toBeVisible();
  await desk.send("/goal pause");
  await expect(panel.getByText(/paused/)).toBeVisible();
  await desk.isIdle();
  const paused = await api.open(sessionId);
  expect(paused.goal?.status).toBe("paused");
  await desk.reload();
  await expect(panel.getByText(/paused/)).toBeVisible();
  expect((await api.open(sessionId)).runs).toHaveLength(paused.runs.length);

  await panel.getByRole("button", { name: "Resume" }).click();
  await expect.poll(async () => (await api.open(sessionId)).runs.length).toBeGreaterThan(paused.runs.length);
  await desk.send("/goal clear");
  await expect(panel.getByText("judge continue", { exact: true })).toHaveCount(0);
  await desk.isIdle();
  expect((await api.call("POST", "/api/goal", { session_id: sessionId, action: "pause" })).status).toBe(409);
  const cleared = await api.open(sessionId);
  expect(new Set(cleared.runs.map((run) => run.source))).toEqual(new Set(["goal"]));
});

test("Stop in a goal's turn pauses the goal; a goal that is reached says so (B090)", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  const panel = desk.page.getByRole("complementary", { name: "Workspace" });
  await desk.send("/goal run sleep 30");
  await expect(desk.tool("sleep 30")).toBeVisible();
  await desk.stopButton.click();
  await expect(panel.getByText(/paused/)).toBeVisible();
  const { goal, runs } = await api.open(sessionId);
  expect(goal).toMatchObject({ status: "paused" });
  expect(runs).toHaveLength(1);
  await desk.send("/goal clear");
  await desk.send("/goal say we are there");
  await expect(panel.getByText("Goal reached")).toBeVisible();
  await expect(desk.answers.last()).toHaveText("we are there");
});
