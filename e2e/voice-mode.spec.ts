/** RFC row "Voice mode": words that were spoken take the same path; only their source says so. */
import { expect } from "@playwright/test";
import { test } from "./support/desk-test";

test("a spoken message runs, streams, asks and stops like a typed one", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  const asks = await api.start(sessionId, "say heard you\nrun rm -r nothing-there || echo asked", { source: "voice", metadata: { language: "en" } });
  await expect(desk.said("say heard you\nrun rm -r nothing-there || echo asked")).toHaveCount(1);
  await expect(desk.answers).toHaveText(["heard you"]);
  await desk.approvals.getByRole("button", { name: "Approve once" }).click();
  expect(await api.ends(asks)).toBe("completed");
  const spoken = await api.events(asks);
  expect(spoken[0]).toMatchObject({ type: "run.started", payload: { source: "voice" } });

  const typed = await api.start(sessionId, "say heard you\nrun rm -r nothing-there-either || echo asked");
  await desk.approvals.getByRole("button", { name: "Approve once" }).click();
  await api.ends(typed);
  // How many pieces an output comes in is chance; which kinds of facts there are, and in which order, is not.
  const kindsOf = (events: typeof spoken): readonly string[] => events.map((event) => event.type).filter((type, index, all) => type !== all[index - 1]);
  expect(kindsOf(spoken)).toEqual(kindsOf(await api.events(typed)));

  await api.start(sessionId, "stream 3000 15", { source: "voice" });
  await expect(desk.answers.last()).toContainText("w2");
  await desk.stopButton.click();
  await expect(desk.log.getByText(/^Stopped by you/)).toBeVisible();
  await desk.reload();
  await expect(desk.log.locator("[data-turn]")).toHaveCount(3);
});
