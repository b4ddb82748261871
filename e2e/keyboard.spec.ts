/** All of it without a mouse. */
import { expect } from "@playwright/test";
import { test } from "./support/desk-test";

test("Enter sends, Shift-Enter breaks the line, Esc twice stops", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await desk.message.focus();
  await desk.page.keyboard.type("say first line");
  await desk.page.keyboard.press("Shift+Enter");
  await desk.page.keyboard.type("run sleep 60");
  await expect(desk.message).toHaveValue("say first line\nrun sleep 60");
  await desk.page.keyboard.press("Enter");
  await expect(desk.message).toHaveValue("");
  await expect(desk.tool("sleep 60")).toBeVisible();
  expect((await api.newestRun(sessionId)).message?.text).toBe("say first line\nrun sleep 60");
  await desk.page.keyboard.press("Escape");
  await expect(desk.stopButton).toBeVisible();
  await desk.page.keyboard.press("Escape");
  await expect(desk.log.getByText(/^Stopped by you/)).toBeVisible();
});

test("a card is reached by Ctrl-J and answered by its number, a question by Space and Enter", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await desk.ask("run rm -r none-1 || true\n\nrun rm -r none-2 || true\n\nask Which? | left | right");
  for (const [index, key] of ["1", "4"].entries()) {
    await expect(desk.approvals).toContainText(`rm -r none-${index + 1}`);
    await desk.message.focus();
    await desk.page.keyboard.press(key);
    await expect(desk.message, "a number in the composer is a number").toHaveValue(key);
    await desk.message.fill("");
    await desk.page.keyboard.press("Control+j");
    await expect(desk.approvals).toBeFocused();
    await desk.page.keyboard.press(key);
    await expect.poll(async () => (await api.newestRun(sessionId)).parts.filter((part) => part.type === "approval" && part.status !== "pending").length).toBe(index + 1);
  }
  await expect(desk.questions).toBeVisible();
  await desk.page.keyboard.press("Control+j");
  await expect(desk.questions).toBeFocused();
  await desk.page.keyboard.press("Tab");
  await desk.page.keyboard.press("Space");
  await expect(desk.questions.getByRole("radio", { name: "left" })).toBeChecked();
  await desk.page.keyboard.press("Enter");
  await desk.isIdle();
  const { parts } = await api.newestRun(sessionId);
  expect(parts.filter((part) => part.type === "approval").map((part) => part.status)).toEqual(["approved", "denied"]);
  expect(Object.values(parts.find((part) => part.type === "clarify")?.answers ?? {})).toEqual(["left"]);
});

test("F6 walks the regions both ways, Ctrl-K opens the palette and finds a session, Esc closes it", async ({ desk, api }) => {
  const [sessionId] = await Promise.all([api.makeSession({ title: "Where I am" }), api.makeSession({ title: "Zephyr lamp" })]);
  await desk.open(sessionId);
  await desk.message.focus();
  const seen = new Set<string>();
  const focused = (): Promise<string> => desk.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.tagName ?? "");
  for (let step = 0; step < 8; step += 1) {
    await desk.page.keyboard.press("F6");
    seen.add(await focused());
  }
  expect([...seen]).toEqual(expect.arrayContaining(["Sessions", "Conversation", "Workspace", "Message"]));
  await desk.message.focus();
  await desk.page.keyboard.press("F6");
  const next = await focused();
  await desk.page.keyboard.press("Shift+F6");
  expect(await focused()).toBe("Message");
  expect(next).not.toBe("Message");

  await desk.page.keyboard.press("Control+k");
  await expect(desk.page.getByRole("dialog")).toBeVisible();
  await desk.page.keyboard.press("Escape");
  await expect(desk.page.getByRole("dialog")).toHaveCount(0);
  await desk.page.keyboard.press("Control+k");
  await desk.page.keyboard.type("Zephyr");
  const found = desk.page.getByRole("option", { name: /Zephyr lamp/ });
  await expect(found).toHaveCount(1);
  await expect(found).toHaveAttribute("aria-selected", "true");
  await desk.page.keyboard.press("Enter");
  await expect(desk.page.getByRole("heading", { name: "Zephyr lamp" })).toBeVisible();
});
