/** The main states of the page by the rules of axe: none is broken. Dark changes colours only, so it is asked for those. */
import { expect } from "@playwright/test";
import { callReply, textReply } from "#testing/model-replies";
import { breaksNoRule } from "./support/axe-rules";
import { conversation, SCRIPTED, test } from "./support/desk-test";

const MARKDOWN = "# A heading\n\nWords with `code`, a [link](https://example.org) and **weight**.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst kite: string = \"red\"; // why\n```\n";

test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const [scheme, rules] of [["light", []], ["dark", ["color-contrast"]]] as const) {
  test(`no state of the page breaks a rule in ${scheme}`, async ({ desk, api, models }) => {
    test.slow();
    const holds = (state: string): Promise<void> => breaksNoRule(desk.page, state, rules);
    await desk.page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    const calls = [
      { name: "terminal", arguments: { command: "printf '\\033[31mred\\033[32m green\\033[0m\\n'; rm -rf nothing-here" } },
      { name: "write_file", arguments: { path: "kite.ts", content: "const kite = 1;\n" } },
      { name: "patch", arguments: { path: "kite.ts", old_text: "1", new_text: "2" } },
      { name: "todo", arguments: { items: [{ id: "1", text: "fold", status: "completed" }, { id: "2", text: "fly", status: "in_progress" }] } },
      { name: "clarify", arguments: { questions: [{ question: "Which?", choices: ["left", "right"] }, { question: "How?", choices: ["soon", "well"], multi_select: true }] } },
    ];
    models.script(conversation((_, turn) => (turn === 1 ? callReply(calls, "First a look.") : textReply(MARKDOWN))));
    const sessionId = await api.makeSession(SCRIPTED);
    await desk.open(sessionId);
    await holds("empty session");
    await desk.ask("look, ask, answer");
    await expect(desk.approvals).toBeVisible();
    await holds("approval");
    await desk.approvals.getByRole("button", { name: "Approve once" }).click();
    await expect(desk.questions).toBeVisible();
    await desk.send("and then this");
    await holds("question and queue");
    await desk.page.getByRole("button", { name: "Remove", exact: true }).click();
    await desk.questions.getByRole("radio", { name: "left" }).check();
    await desk.questions.getByRole("button", { name: "Answer" }).click();
    await expect(desk.log.getByRole("table")).toBeVisible();
    await desk.isIdle();
    const closed = desk.log.locator('button[aria-expanded="false"]:not([aria-haspopup])');
    while ((await closed.count()) > 0) await closed.first().click();
    await holds("answer with opened calls");

    const failed = await api.makeSession();
    await api.run(failed, "say before\nfail provider_auth");
    await desk.open(failed);
    await expect(desk.log.getByText("The key was not accepted")).toBeVisible();
    await desk.log.getByRole("button", { name: "Details" }).click();
    await holds("failed turn");
    await desk.page.keyboard.press("Control+k");
    await expect(desk.page.getByRole("dialog")).toBeVisible();
    await holds("palette");
    await desk.page.keyboard.press("Escape");
    await desk.page.getByRole("button", { name: "Settings" }).click();
    for (const tab of await desk.page.getByRole("dialog").getByRole("tab").all()) {
      await tab.click();
      await holds(`settings, ${await tab.textContent()}`);
    }
    const settings = desk.page.getByRole("dialog");
    await settings.getByRole("tab", { name: "Models and keys" }).click();
    await settings.getByRole("button", { name: "Add a key: OpenAI" }).click();
    await holds("settings, a key's form");
    await settings.getByRole("tab", { name: "Profiles" }).click();
    await settings.getByRole("button", { name: "Open default" }).click();
    await expect(settings.getByText("None. They are named in the profile’s config.yaml")).toBeVisible();
    await holds("settings, a profile");
    await settings.getByRole("button", { name: /^Who it is/ }).click();
    await expect(settings.getByRole("textbox", { name: "Text of SOUL.md" })).toBeVisible();
    await holds("settings, a profile's text");
    await desk.page.keyboard.press("Escape");
    for (const tab of ["Files", "Changes"]) {
      await desk.page.getByRole("tab", { name: tab }).click();
      await holds(`panel, ${tab}`);
    }
    await desk.page.getByRole("tab", { name: "Files" }).click();
    await desk.page.getByRole("searchbox", { name: "Search files" }).fill("kite");
    await expect(desk.page.getByRole("status").filter({ hasText: "in 1 file" })).toBeVisible();
    await holds("panel, found files");
  });
}
