/** Finding: files of the workspace by name and content, and words in turns that are not loaded. */
import { expect } from "@playwright/test";
import { test } from "./support/desk-test";

test("files are found by name and by what stands in them, with the keyboard alone", async ({ desk, api }) => {
  const { page } = desk;
  await desk.open(await api.makeSession());
  await desk.ask("write lagoon/tide.md: low tide\nwrite lagoon/notes.txt: one\nrun printf '\\ntwo\\nthe pelican again\\n' >> lagoon/notes.txt\nsay done");
  await desk.isIdle();
  await page.getByRole("tab", { name: "Files" }).click();
  const field = page.getByRole("searchbox", { name: "Search files" });
  await field.fill("PELICAN");
  await expect(page.getByText("1 line in 1 file")).toBeVisible();
  await field.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: /^Line 3 of lagoon\/notes\.txt/ })).toBeFocused();
  await page.keyboard.press("Enter");
  const text = page.getByRole("textbox", { name: "Text of lagoon/notes.txt" });
  await expect(text).toBeFocused();
  expect(await text.evaluate((element) => (element instanceof HTMLTextAreaElement ? element.value.slice(element.selectionStart, element.selectionEnd) : ""))).toBe("the pelican again");

  await page.getByRole("button", { name: "Back to the files" }).click();
  await expect(field).toHaveValue("PELICAN");
  await field.fill("tide");
  await expect(page.getByRole("button", { name: "lagoon/tide.md", exact: true })).toBeVisible();
  await field.press("Enter");
  await expect(page.getByRole("textbox", { name: "Text of lagoon/tide.md" })).toBeVisible();
});

test("a word in the first of many turns is found without loading page after page", async ({ desk, api }) => {
  const { page } = desk;
  const sessionId = await api.makeSession();
  for (const message of ["say the heron stands here", ...Array.from({ length: 25 }, (_, index) => `say turn ${index}`)]) await api.run(sessionId, message);
  await desk.open(sessionId);
  let pages = 0;
  page.on("request", (request) => {
    if (request.url().includes(`/api/sessions/${sessionId}?`)) pages += 1;
  });
  await page.keyboard.press("ControlOrMeta+f");
  const search = page.getByRole("search");
  await search.getByRole("textbox", { name: "Find in this session" }).fill("heron");
  await expect(search.getByRole("status")).toHaveText("2 of 2");
  await expect(desk.log.getByText("the heron stands here", { exact: true })).toBeInViewport();
  expect(pages, "requests for earlier turns").toBeLessThanOrEqual(1);
  await search.getByRole("textbox", { name: "Find in this session" }).fill("ostrich");
  await expect(search.getByRole("status")).toHaveText("not found");
});
