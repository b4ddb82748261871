/** Who reads back is not pulled to the end, and who goes to the end follows again (B229). */
import { expect } from "@playwright/test";
import { conversation, SCRIPTED, test } from "./support/desk-test";
import { gatedWords } from "./support/gated-words";

test("scrolled up 500 px the place stays while the answer grows; at the end it follows again (B229)", async ({ desk, api, models }) => {
  const words = gatedWords(5, 400, 0);
  models.script(conversation(() => words.reply));
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.ask("at great length");
  await expect(desk.answers).toContainText(/\bw400\b/);
  words.gates[0]?.open();
  await expect(desk.answers).toContainText(/\bw800\b/);
  const gap = (): Promise<number> => desk.log.evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
  const place = (): Promise<number> => desk.log.evaluate((log) => log.scrollTop);
  await expect.poll(gap, "it follows").toBeLessThan(5);

  await desk.log.hover();
  const end = await place();
  await desk.page.mouse.wheel(0, -500);
  await expect.poll(place).toBeLessThan(end - 300);
  const toEnd = desk.page.getByRole("button", { name: /^To the end/ });
  await expect(toEnd).toBeVisible();
  const kept = await place();
  words.gates[1]?.open();
  await expect(desk.answers).toContainText(/\bw1200\b/);
  words.gates[2]?.open();
  await expect(desk.answers).toContainText(/\bw1600\b/);
  expect(Math.abs((await place()) - kept), "pixels that the reader was moved").toBeLessThanOrEqual(5);

  await toEnd.click();
  await expect.poll(gap).toBeLessThan(5);
  words.gates[3]?.open();
  await expect(desk.answers).toContainText(/\bw2000\b/);
  await expect.poll(gap, "it follows again").toBeLessThan(5);
  await desk.isIdle();
  await expect(toEnd).toHaveCount(0);
});
