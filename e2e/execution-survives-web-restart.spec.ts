/** RFC row "Execution survives WebUI restart": the gate. Only the web process dies; runs, prompts and controls live on. */
import { expect } from "@playwright/test";
import { startModelServer } from "#testing/model-server";
import { answerOf, type Api } from "./support/api";
import { DeskPage } from "./support/desk-page";
import { conversation, SCRIPTED, test } from "./support/desk-test";
import { gatedWords } from "./support/gated-words";
import { Product } from "./support/product";

const ANSWER = "blå 🧪";

test("the web process is killed in mid-run and comes back: same runs, no gap, no duplicate, prompts still open, Stop works (B081, B100)", async ({ page, problems }) => {
  const models = await startModelServer();
  const words = gatedWords(4, 30, 8);
  models.script(conversation(() => words.reply));
  const product = await Product.start({ mode: "runner-local", models: { url: models.url, names: ["alpha"] } });
  try {
    const { api } = product;
    const desk = new DeskPage(page, product.origin);
    const [text, approval, question, tool] = await Promise.all([api.makeSession(SCRIPTED), api.makeSession(), api.makeSession(), api.makeSession()]);
    const runs = {
      approval: await api.start(approval, "run echo kept > kept.txt && rm -r kept.txt"),
      question: await api.start(question, "ask Where to? | north | south"),
      tool: await api.start(tool, "run sleep 300"),
    };
    await api.reaches(runs.approval, "awaiting_approval");
    await api.reaches(runs.question, "awaiting_clarify");
    const prompts = await promptsOf(api, runs);
    await desk.open(text);
    await desk.ask("write at length");
    await expect(desk.answers).toContainText(/\bw20\b/);
    const textRun = (await api.newestRun(text)).run_id;
    const runner = product.pidOf("runner");

    // Killed while words flow; the page is not touched and catches up by itself.
    words.gates[0]?.open();
    await product.comesBack("web", product.kill("web"));
    await expect(desk.answers).toContainText(/\bw60\b/);
    // Killed again while nobody says anything, then reloaded.
    await product.comesBack("web", product.kill("web"));
    words.gates[1]?.open();
    await desk.reload();
    await expect(desk.answers).toContainText(/\bw90\b/);
    await expect(desk.log.locator("[data-turn]")).toHaveCount(1);
    await expect(desk.log.locator(`[data-turn="${textRun}"]`)).toHaveCount(1);
    expect(words.text.startsWith((await desk.answerText()).trim())).toBe(true);
    words.gates[2]?.open();
    expect(await api.ends(textRun)).toBe("completed");
    await expect(desk.answers).toHaveText([words.text]);
    await expect(desk.log.getByText(/Interrupted/)).toHaveCount(0);
    expect(answerOf(await api.runOf(text, textRun))).toBe(words.text);
    expect((await api.events(textRun)).map((event) => event.seq)).toEqual((await api.events(textRun)).map((_, index) => index + 1));
    expect(product.pidOf("runner"), "the runner is still the same process").toBe(runner);

    // The prompts wait under their ids and take their answers.
    expect(await promptsOf(api, runs)).toEqual(prompts);
    await desk.open(approval);
    await desk.approvals.getByRole("button", { name: "Approve once" }).click();
    expect(await api.ends(runs.approval)).toBe("completed");
    await desk.open(question);
    await desk.questions.getByRole("textbox", { name: "Your answer" }).fill(ANSWER);
    await desk.questions.getByRole("button", { name: "Answer" }).click();
    expect(await api.ends(runs.question)).toBe("completed");
    const asked = (await api.runOf(question, runs.question)).parts.find((part) => part.type === "clarify");
    expect(Object.values(asked?.answers ?? {})).toEqual([ANSWER]);

    // And Stop reaches the run that a web process started which is no more.
    await desk.open(tool);
    await desk.stopButton.click();
    await expect(desk.log.getByText(/^Stopped by you/)).toBeVisible();
    expect(await api.ends(runs.tool)).toBe("cancelled");
    expect(problems).toEqual([]);
  } finally {
    await product.stop();
    await models.close();
  }
});

async function promptsOf(api: Api, runs: Readonly<Record<"approval" | "question", string>>): Promise<readonly (string | null)[]> {
  return [(await api.statusOf(runs.approval)).pending_approval_id, (await api.statusOf(runs.question)).pending_clarify_id];
}
