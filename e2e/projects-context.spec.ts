/** RFC row "Projects context": where a session belongs is seen before, during and after its runs are replayed. */
import { expect } from "@playwright/test";
import { test } from "./support/desk-test";

test("a session moved into a project shows it while it runs, after a reload and in the filtered list", async ({ desk, api }) => {
  const name = `Kites ${Date.now()}`;
  const title = "Strings and tails";
  const sessionId = await api.makeSession({ title });
  await desk.open(sessionId);
  await desk.sessions.getByRole("button", { name: "All projects" }).click();
  await desk.page.getByRole("menuitem", { name: "New project" }).click();
  await desk.page.getByRole("dialog").getByRole("textbox").fill(name);
  await desk.page.getByRole("dialog").getByRole("textbox").press("Enter");
  await expect(desk.page.getByRole("dialog")).toHaveCount(0);

  await desk.ask("stream 200 15");
  await expect(desk.answers).toContainText("w2");
  await desk.page.getByRole("button", { name: "More" }).click();
  await desk.page.getByRole("menuitem", { name: "Move to a project" }).hover();
  await desk.page.getByRole("menuitemradio", { name }).click();
  const header = desk.page.locator("header").getByText(name);
  await expect(header).toBeVisible();
  await desk.reload();
  await expect(header).toBeVisible();
  await desk.isIdle();

  const { session } = await api.open(sessionId);
  expect(session.project_id).toMatch(/^prj_/);
  await desk.sessions.getByRole("button", { name: /All projects|Kites/ }).click();
  await desk.page.getByRole("menuitemradio", { name }).click();
  await expect(desk.sessions.getByRole("link")).toHaveCount(1);
  await expect(desk.sessions.getByRole("link", { name: title })).toBeVisible();
  // A project that goes keeps its sessions.
  await api.ask("DELETE", `/api/projects/${session.project_id}`);
  await desk.open(sessionId);
  expect((await api.open(sessionId)).session.project_id).toBeNull();
  await expect(desk.answers).toContainText("w200");
});
