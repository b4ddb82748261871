/** On a phone, held upright or sideways: what one must reach is inside the screen and large enough for a thumb (B281). */
import { expect, type Locator } from "@playwright/test";
import { boxOf, type DeskPage } from "./support/desk-page";
import { test } from "./support/desk-test";

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

/** Upright, small, sideways, and upright with a keyboard on half of the screen. */
const SCREENS = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
  { width: 640, height: 360 },
  { width: 390, height: 420 },
] as const;
const THUMB_PX = 40;

test("Stop, the choices of a card, the answer field and the model picker stay in reach, and nothing scrolls sideways (B281)", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await onEachScreen(desk, "idle", [desk.message, desk.sendButton, desk.modelPicker]);

  await desk.ask("run rm -r a-rather-long-name/that/goes/on/and/on/and-does-not-end-soon/because-paths-are-long || true\n\nask Which one of these? | the first | the second\n\nsay `a_very_long_word_".concat("x".repeat(300), "`"));
  await expect(desk.approvals).toBeVisible();
  const choices = ["Approve once", "Approve for this session", "Always approve", "Deny"].map((name) => desk.approvals.getByRole("button", { name }));
  await onEachScreen(desk, "approval", [desk.stopButton, ...choices]);
  await choices[0]?.tap();
  await expect(desk.questions).toBeVisible();
  const answer = desk.questions.getByRole("textbox", { name: "Your answer" });
  await onEachScreen(desk, "question", [desk.stopButton, answer, desk.questions.getByRole("button", { name: "Answer" })]);
  await answer.fill("neither");
  await desk.questions.getByRole("button", { name: "Answer" }).tap();
  await desk.isIdle();
  await onEachScreen(desk, "answered", [desk.message, desk.modelPicker]);

  // The sessions are a layer here, and choosing one closes it.
  await desk.page.setViewportSize({ width: 390, height: 844 });
  await desk.page.getByRole("button", { name: /^Show sessions/ }).tap();
  await desk.sessions.getByRole("button", { name: "New session" }).tap();
  await expect(desk.page).not.toHaveURL(new RegExp(sessionId));
  await expect(desk.message).toBeVisible();
});

test("a session's menu is in reach of a thumb, and says the title that its row had to cut", async ({ desk, api }) => {
  const title = "A title that is far too long for the row of a phone and goes on";
  const sessionId = await api.makeSession({ title });
  await desk.open(sessionId);
  await desk.page.getByRole("button", { name: /^Show sessions/ }).tap();
  const row = desk.sessions.getByRole("listitem").filter({ has: desk.page.getByRole("link", { name: title }) });
  const menu = row.getByRole("button", { name: "What to do with this session" });
  const box = await boxOf(menu);
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(THUMB_PX);
  await menu.tap();
  const cut = desk.page.getByRole("menu").getByText(title);
  await expect(cut).toBeVisible();
  expect(await cut.evaluate((element) => element.scrollWidth - element.clientWidth), "nothing of it is cut").toBeLessThanOrEqual(0);
  await desk.page.getByRole("menuitem", { name: "Pin" }).tap();
  await expect(desk.sessions.getByRole("heading", { name: "Pinned" })).toBeVisible();
});

async function onEachScreen(desk: DeskPage, state: string, targets: readonly Locator[]): Promise<void> {
  for (const screen of SCREENS) {
    await desk.page.setViewportSize(screen);
    await desk.hasNoSidewaysScroll();
    for (const target of targets) {
      await target.scrollIntoViewIfNeeded();
      await expect(async () => {
        const box = await boxOf(target);
        const where = `${state} at ${screen.width}×${screen.height}: ${JSON.stringify(box)}`;
        expect(box.x, where).toBeGreaterThanOrEqual(0);
        expect(box.y, where).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width, where).toBeLessThanOrEqual(screen.width);
        expect(box.y + box.height, where).toBeLessThanOrEqual(screen.height);
      }).toPass({ timeout: 5_000 });
      if ((await target.getAttribute("aria-label")) === "Message") continue;
      const { height } = await boxOf(target);
      expect(height, `${state} at ${screen.width}×${screen.height}: ${String(target)}`).toBeGreaterThanOrEqual(THUMB_PX);
    }
  }
}
