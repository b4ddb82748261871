/** RFC row "Approval request/response": a request outlives its observers, an answer reaches the run once and is replayed. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { callReply, textReply } from "#testing/model-replies";
import { DeskPage } from "./support/desk-page";
import { conversation, SCRIPTED, test } from "./support/desk-test";

test("two commands of one step ask together, keep their places, and each takes its own answer on any device (B055, B060, B069)", async ({ desk, api, product, browser }) => {
  const sessionId = await api.makeSession();
  const [first, second] = ["a", "b"].map((name) => join(product.workspace, `ask-${sessionId}-${name}`));
  for (const folder of [first, second]) mkdirSync(folder ?? "");
  await desk.open(sessionId);
  await desk.ask(`run rm -r ${first}\nrun rm -r ${second}\n\nsay both are settled`);
  await expect(desk.approvals).toHaveCount(2);
  const commands = [`rm -r ${first}`, `rm -r ${second}`];
  for (const [index, command] of commands.entries()) await expect(desk.approvals.nth(index)).toContainText(command);
  await expect(desk.sessions.getByText("1 waiting")).toBeVisible();

  await desk.reload();
  await expect(desk.approvals).toHaveCount(2);
  const other = new DeskPage(await (await browser.newContext()).newPage(), product.origin);
  await other.open(sessionId);
  await expect(other.approvals).toHaveCount(2);
  // By its button, the first alone (B055).
  await other.approvals.first().getByRole("button", { name: "Approve once" }).click();
  await expect(desk.approvals).toHaveCount(1);
  await expect(desk.approvals).toContainText(commands[1] ?? "");
  await expect.poll(() => existsSync(first ?? "")).toBe(false);
  expect(existsSync(second ?? "")).toBe(true);

  await desk.approvals.getByRole("button", { name: "Deny" }).click();
  await expect(desk.answers).toHaveText(["both are settled"]);
  await expect(other.approvals).toHaveCount(0);
  await other.page.context().close();
  expect(existsSync(second ?? "")).toBe(true);
  const run = await api.newestRun(sessionId);
  expect(run.parts.filter((part) => part.type === "approval").map((part) => part.status)).toEqual(["approved", "denied"]);
  expect(run.parts.filter((part) => part.type === "tool").map((part) => part.status)).toEqual(["ok", "denied"]);
  await desk.reload();
  await expect(desk.log.getByText(/^You approved it once/)).toHaveCount(1);
  await expect(desk.log.getByText(/^You denied it/)).toHaveCount(1);
  await expect(desk.approvals).toHaveCount(0);
});

test("an answer that the server could not take leaves the card, says so, and works at the second try (B065)", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await desk.ask("run echo once >> lines.txt; rm -rf nothing-here; wc -l < lines.txt");
  let refused = 0;
  await desk.page.route("**/api/approval/respond", async (route) => {
    refused += 1;
    await (refused === 1 ? route.fulfill({ status: 503, json: { error: { code: "runner_unavailable", message: "The runner does not answer." } } }) : route.continue());
  });
  const approve = desk.approvals.getByRole("button", { name: "Approve once" });
  await approve.click();
  await expect(desk.approvals.getByRole("alert")).not.toBeEmpty();
  await approve.dblclick();
  await expect(desk.approvals).toHaveCount(0);
  await desk.isIdle();
  const run = await api.newestRun(sessionId);
  expect(run.parts.find((part) => part.type === "tool")?.stdout).toBe("1\n");
  expect((await api.events(run.run_id)).filter((event) => event.type === "approval.resolved")).toHaveLength(1);
});

test("for this session and for good: what was allowed does not ask again, there and only there", async ({ desk, api }) => {
  const [here, elsewhere] = await Promise.all([api.makeSession(), api.makeSession()]);
  await desk.open(here);
  await desk.ask("run rm -r none-1 || true");
  await desk.approvals.getByRole("button", { name: "Approve for this session" }).click();
  await desk.isIdle();
  await desk.ask("run rm -r none-2 || true\n\nsay it did not ask");
  await expect(desk.answers.last()).toHaveText("it did not ask");
  const asks = await api.start(elsewhere, "run rm -r none-3 || true");
  await api.reaches(asks, "awaiting_approval");
  await api.ask("POST", "/api/chat/cancel", { stream_id: asks });
});

test("the card shows each character that would hide, and what runs is what was shown (B067)", async ({ desk, api, models }) => {
  const hidden = "rm -r ./none\u200b \u202e\u2066'x' # ```<img src=x onerror=window.__pwn=1>\u001b[2K\r`echo`";
  models.script(conversation((_, turn) => (turn === 1 ? callReply([{ name: "terminal", arguments: { command: hidden } }]) : textReply("done"))));
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.ask("remove it");
  const card = desk.approvals;
  await expect(card).toBeVisible();
  const shown = (await card.textContent()) ?? "";
  for (const character of ["\u200b", "\u202e", "\u2066", "\u001b", "\r"]) {
    expect(shown.includes(character), `${JSON.stringify(character)} stands raw in the card`).toBe(false);
    expect(shown.toLowerCase()).toContain(character.codePointAt(0)?.toString(16) ?? "none");
  }
  expect(shown).toContain("```<img src=x onerror=window.__pwn=1>");
  await expect(card.locator("img, code")).toHaveCount(0);
  await card.getByRole("button", { name: "Deny" }).click();
  await desk.isIdle();
  const requested = (await api.events((await api.newestRun(sessionId)).run_id)).find((event) => event.type === "tool.requested");
  expect(requested).toMatchObject({ payload: { calls: [{ arguments: { command: hidden } }] } });
  expect(await desk.page.evaluate(() => "__pwn" in window)).toBe(false);
});
