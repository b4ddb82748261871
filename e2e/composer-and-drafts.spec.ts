/** What a person wrote is theirs until it was accepted: kept on failure, kept per session, never sent twice, never back from the dead. */
import { expect } from "@playwright/test";
import { test } from "./support/desk-test";
import { Gate } from "./support/gate";

test("a message that is refused comes back with its files and goes out at the second try without a new upload (B213)", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  let uploads = 0;
  desk.page.on("request", (request) => void (uploads += request.url().endsWith("/api/attachments") ? 1 : 0));
  let starts = 0;
  await desk.page.route("**/api/chat/start", async (route) => {
    starts += 1;
    await (starts === 1 ? route.fulfill({ status: 503, json: { error: { code: "runner_unavailable", message: "The runner does not answer." } } }) : route.continue());
  });
  await desk.page.getByLabel("Files to attach").setInputFiles({ name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("red\n") });
  await desk.message.fill("say it arrived");
  await expect(desk.sendButton).toBeEnabled();
  await desk.sendButton.click();
  await expect(desk.page.getByRole("alert").filter({ hasText: "The runner does not answer. Your message is kept." })).toBeVisible();
  await expect(desk.message).toHaveValue("say it arrived");
  await expect(desk.page.getByRole("list", { name: "Attachments" })).toContainText("list.txt");
  await desk.sendButton.click();
  await expect(desk.answers).toHaveText(["it arrived"]);
  expect(uploads).toBe(1);
  const { runs } = await api.open(sessionId);
  expect(runs).toHaveLength(1);
  expect(runs[0]?.message?.attachments).toHaveLength(1);
});

test("a reload in mid-sending sends once and leaves the box empty; drafts stay with their sessions (B279)", async ({ desk, api }) => {
  const [sessionId, other] = await Promise.all([api.makeSession({ title: "Here" }), api.makeSession({ title: "There" })]);
  await desk.open(other);
  await desk.message.fill("a draft of the other session");
  await desk.sessions.getByRole("link", { name: "Here", exact: true }).click();
  await expect(desk.message).toHaveValue("");
  const arrived = new Gate();
  await desk.page.route("**/api/chat/start", async (route) => {
    // It reaches the server; the page goes before the answer comes.
    await route.fetch();
    arrived.open();
  }, { times: 1 });
  await desk.message.fill("say only once");
  const leaving = arrived.opened.then(() => desk.page.reload());
  await desk.message.press("Enter");
  await leaving;
  await desk.isOpen();
  await expect(desk.answers).toHaveText(["only once"]);
  await expect(desk.message).toHaveValue("");
  await desk.reload();
  await expect(desk.message).toHaveValue("");
  expect((await api.open(sessionId)).runs).toHaveLength(1);
  await desk.sessions.getByRole("link", { name: "There", exact: true }).click();
  await expect(desk.message).toHaveValue("a draft of the other session");
});

test("a start while the runner is gone answers soon, keeps the text, and works when it is back (B110)", async ({ desk, api, product }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  const runner = product.pidOf("runner");
  if (runner === null) throw new Error("There is no runner.");
  process.kill(runner, "SIGSTOP");
  try {
    await desk.message.fill("say here again");
    await desk.sendButton.click();
    await expect(desk.page.getByRole("alert").filter({ hasText: "Your message is kept." })).toBeVisible({ timeout: 8_000 });
    await expect(desk.message).toHaveValue("say here again");
  } finally {
    process.kill(runner, "SIGCONT");
  }
  await expect.poll(() => product.isReady(), { timeout: 30_000 }).toBe(true);
  await desk.sendButton.click();
  await expect(desk.answers).toHaveText(["here again"]);
  expect((await api.open(sessionId)).runs).toHaveLength(1);
});
