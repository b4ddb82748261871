/** The product below a path prefix behind a reverse proxy, with a password: everything stays below the prefix, and the login leads nowhere else. */
import { expect } from "@playwright/test";
import { breaksNoRule } from "./support/axe-rules";
import { makeBasePathTree } from "./support/base-path-tree";
import { DeskPage } from "./support/desk-page";
import { test as base } from "./support/desk-test";
import { Product } from "./support/product";
import { ReverseProxy } from "./support/reverse-proxy";

const PREFIX = "/desk";
const PASSWORD = "a long enough password";
const BUILT_WITHIN_MS = 8 * 60_000;

const test = base.extend<object, { guarded: Product }>({
  guarded: [
    async ({ browserName: _ }, use) => {
      const product = await Product.start({
        mode: "runner-local",
        root: makeBasePathTree(process.cwd()),
        env: { HERMES_WEBUI_BASE_PATH: PREFIX, HERMES_WEBUI_PASSWORD: PASSWORD, HERMES_WEBUI_TRUSTED_PROXY: "127.0.0.1" },
        readyWithinMs: BUILT_WITHIN_MS,
      });
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: BUILT_WITHIN_MS },
  ],
});

test("login, sending, streaming, upload and export work below the prefix, and nothing asks for the root (B287)", async ({ guarded, page, problems }) => {
  const proxy = await ReverseProxy.start(PREFIX, guarded.port);
  try {
    const desk = new DeskPage(page, `${proxy.origin}${PREFIX}`);
    await page.goto(`${proxy.origin}${PREFIX}/`);
    await expect(page).toHaveURL(`${proxy.origin}${PREFIX}/login`);
    await breaksNoRule(page, "login");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toBeVisible();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(desk.message).toBeVisible();
    const [cookie] = (await page.context().cookies()).filter((candidate) => candidate.httpOnly);
    expect(cookie).toMatchObject({ path: PREFIX, sameSite: "Strict" });

    await page.getByLabel("Files to attach").setInputFiles({ name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("red\n") });
    // A file makes the session; its composer takes the place of the first page's.
    const sessionId = await desk.sessionId();
    await expect(page.getByRole("list", { name: "Attachments" })).toContainText("list.txt");
    await desk.message.fill("run echo below\n\nstream 40 10");
    await expect(desk.sendButton).toBeEnabled();
    await desk.sendButton.click();
    await expect(desk.answers).toContainText("w3");
    expect(page.url()).toBe(`${proxy.origin}${PREFIX}/s/${sessionId}`);
    await desk.isIdle();
    await desk.reload();
    await expect(desk.answers).toContainText("w40");
    await expect(desk.log.getByRole("link", { name: /list\.txt/ })).toHaveAttribute("href", new RegExp(`^${PREFIX}/api/attachments/`));
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Export" }).hover();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "As Markdown" }).click()]);
    expect(download.url()).toContain(`${PREFIX}/api/sessions/${sessionId}/export`);
    expect(proxy.strays).toEqual([]);
    expect(problems).toEqual([]);
  } finally {
    await proxy.close();
  }
});

test("an expired login leads to the login and back to the same session, and to no other place (B249)", async ({ guarded, page }) => {
  const target = `${guarded.origin}/s/ses_01J0000000000000000000000A`;
  await page.goto(target);
  for (let bounce = 0; bounce < 10; bounce += 1) await page.goto(page.url());
  expect(page.url().length).toBeLessThan(300);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(target);
  for (const next of ["//evil.test", "https:evil.test", "/\\evil.test", "javascript:alert(1)", "/login?next=/login"]) {
    await page.context().clearCookies();
    await page.goto(`${guarded.origin}/login?next=${encodeURIComponent(next)}`);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("textbox", { name: "Message" }), next).toBeVisible();
    expect(new URL(page.url()).origin, next).toBe(new URL(guarded.origin).origin);
    expect(new URL(page.url()).pathname, next).toMatch(/^\/desk(\/|\/s\/ses_\w+)?$/);
  }
});
