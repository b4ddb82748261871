/** What a person sets up in the page itself: keys that work without a restart, a profile's texts, lasting approvals. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { test } from "./support/desk-test";

const KEY = "sk-canary-0123456789-abcd";

test("a key is added from the settings, works at once, is never shown again, and is a secret from then on", async ({ desk, api, product }) => {
  const { page } = desk;
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  await page.getByRole("navigation", { name: "Sessions" }).getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("tab", { name: "Models and keys" }).click();

  await settings.getByRole("button", { name: "Add a key: OpenAI" }).click();
  await settings.getByLabel("Key", { exact: true }).fill("two words");
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(settings.getByText(/a key without blanks/)).toBeVisible();
  await settings.getByLabel("Key", { exact: true }).fill(KEY);
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(settings.getByText("ends in abcd.")).toBeVisible();
  await expect(settings.getByText(/^6 models/)).toBeVisible();
  expect(await page.content()).not.toContain(KEY.slice(0, -4));
  const file = join(product.home, ".env");
  expect(readFileSync(file, "utf8")).toContain(`OPENAI_API_KEY=${KEY}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  // The picker has it without a reload, and a run that says it does not show it.
  await page.keyboard.press("Escape");
  await desk.modelPicker.click();
  await expect(page.getByRole("option", { name: /^gpt-5\.5/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await desk.ask(`say the key is ${KEY} and that was it`);
  await desk.isIdle();
  await expect(desk.log).toContainText("the key is [redacted] and that was it");
  expect(await desk.log.innerText()).not.toContain(KEY);

  await page.getByRole("navigation", { name: "Sessions" }).getByRole("button", { name: "Settings" }).click();
  await settings.getByRole("tab", { name: "Models and keys" }).click();
  await settings.getByRole("button", { name: "Remove OPENAI_API_KEY" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(settings.getByRole("button", { name: "Add a key: OpenAI" })).toBeVisible();
  expect(readFileSync(file, "utf8")).not.toContain("OPENAI");
});

test("a profile's texts are edited over the version that was read; what is always approved can be taken back", async ({ desk, api, product }) => {
  const { page } = desk;
  await api.ask("POST", "/api/profiles", { name: "garden" });
  const home = join(product.home, "profiles", "garden");
  writeFileSync(join(home, "config.yaml"), "# mine\ncommand_allowlist:\n  - recursive delete\nmcp_servers:\n  kite: { command: no-such-kite }\n");
  await desk.open(await api.makeSession());
  await page.getByRole("navigation", { name: "Sessions" }).getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("tab", { name: "Profiles" }).click();
  await settings.getByRole("button", { name: "Open garden" }).click();
  await expect(settings.getByText("A program, opened by the next run that needs it.")).toBeVisible();

  await settings.getByRole("button", { name: /^Who it is/ }).click();
  const text = settings.getByRole("textbox", { name: "Text of SOUL.md" });
  await text.fill("You are patient.");
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  await expect(settings.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  expect(readFileSync(join(home, "SOUL.md"), "utf8")).toBe("You are patient.");
  writeFileSync(join(home, "SOUL.md"), "You are brief.");
  await text.fill("You are kind.");
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  await expect(settings.getByText("The file changed on disk since you opened it.")).toBeVisible();
  expect(readFileSync(join(home, "SOUL.md"), "utf8")).toBe("You are brief.");
  await settings.getByRole("button", { name: "Save yours over it" }).click();
  await expect.poll(() => readFileSync(join(home, "SOUL.md"), "utf8")).toBe("You are kind.");
  await settings.getByRole("button", { name: "Back to the profile" }).click();

  await settings.getByRole("button", { name: "Ask again: recursive delete" }).click();
  await expect(settings.getByText(/^Nothing\. Each risky command asks first/)).toBeVisible();
  expect(readFileSync(join(home, "config.yaml"), "utf8")).toMatch(/^# mine\n/);
  expect(readFileSync(join(home, "config.yaml"), "utf8")).not.toContain("recursive delete");
});
