/** RFC row "Terminal replay": turns that completed, failed or were cancelled come back as they ended, once each. */
import { expect } from "@playwright/test";
import { answerOf } from "./support/api";
import { DeskPage } from "./support/desk-page";
import { test } from "./support/desk-test";

test("turns that completed, failed and were stopped replay their end, here, after a reload and on a second device (B016, B027)", async ({ desk, api, browser, product }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await watchTurns(desk);
  await desk.ask("say all is well");
  await desk.isIdle();
  await desk.ask("say up to here\nfail provider_bad_request");
  await expect(desk.log.getByText("The model refused the request")).toBeVisible();
  await desk.ask("stream 2000 20");
  await expect(desk.answers.last()).toContainText("w3");
  await desk.stopButton.click();
  await expect(desk.log.getByText(/^Stopped by you/)).toBeVisible();
  await desk.isIdle();
  expect(await mostOfATurn(desk), "a turn was drawn twice for a moment").toBe(1);

  const { runs } = await api.open(sessionId);
  expect(runs.map((run) => run.terminal_state)).toEqual(["completed", "failed", "cancelled"]);
  const other = new DeskPage(await (await browser.newContext()).newPage(), product.origin);
  const look = async (page: DeskPage, name: string): Promise<void> => {
    await expect(page.answers, name).toHaveText(runs.map(answerOf));
    await expect(page.log.locator("[data-message]"), name).toHaveCount(3);
    await expect(page.log.getByText("The model refused the request"), name).toHaveCount(1);
    await expect(page.log.getByText(/^Stopped by you/), name).toHaveCount(1);
    await expect(page.stopButton, name).toBeHidden();
  };
  await look(desk, "as it ended");
  await desk.reload();
  await look(desk, "reloaded");
  await other.open(sessionId);
  await look(other, "on a second device");
  await other.page.context().close();

  for (const run of runs) {
    const events = await api.events(run.run_id);
    expect(events.filter((event) => event.terminal)).toHaveLength(1);
    expect(events.at(-1)?.terminal).toBe(true);
  }
});

/** Counts in the page, at each change, how often one turn stands there at most. */
async function watchTurns(desk: DeskPage): Promise<void> {
  await desk.page.evaluate(() => {
    const look = (): void => {
      const counts = new Map<string, number>();
      for (const turn of document.querySelectorAll("[data-turn]")) {
        const id = turn.getAttribute("data-turn") ?? "";
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      const most = Math.max(Number(document.body.dataset["mostOfATurn"] ?? 0), ...counts.values());
      document.body.dataset["mostOfATurn"] = String(most);
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
}

async function mostOfATurn(desk: DeskPage): Promise<number> {
  return desk.page.evaluate(() => Number(document.body.dataset["mostOfATurn"]));
}
