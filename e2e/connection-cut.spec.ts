/** The network goes and comes back: the page goes on from its cursor, says so quietly, and blames no run for it. */
import { expect } from "@playwright/test";
import { DeskPage } from "./support/desk-page";
import { conversation, SCRIPTED, test } from "./support/desk-test";
import { gatedWords } from "./support/gated-words";
import { TcpProxy } from "./support/tcp-proxy";

const CUTS = 5;

test("five cuts in one turn: each word once, in order, and no word of an interruption (B009, B025, B108)", async ({ page, problems, product, api, models }) => {
  const words = gatedWords(CUTS * 2 + 1, 12, 5);
  models.script(conversation(() => words.reply));
  const proxy = await TcpProxy.start(product.port);
  try {
    const desk = new DeskPage(page, `http://127.0.0.1:${proxy.port}`);
    const sessionId = await api.makeSession(SCRIPTED);
    await desk.open(sessionId);
    await desk.ask("talk");
    const runId = (await api.newestRun(sessionId)).run_id;
    for (let cut = 0; cut < CUTS; cut += 1) {
      const last = (cut * 2 + 1) * 12;
      await expect(desk.answers).toContainText(new RegExp(`\\bw${last}\\b`));
      proxy.cut();
      // Said while nobody could hear it, and on.
      words.gates[cut * 2]?.open();
      await expect.poll(async () => JSON.stringify((await api.runOf(sessionId, runId)).parts)).toContain(`w${last + 12}`);
      if (cut === 0) {
        await expect(desk.connection).toContainText(/Connection lost. The agent goes on/);
        // Pressed while the network is still gone: once it is back the page may be back before the press.
        const tries = proxy.taken;
        await desk.page.getByRole("button", { name: "Try now" }).click();
        await expect.poll(() => proxy.taken).toBeGreaterThan(tries);
      }
      proxy.restore();
      words.gates[cut * 2 + 1]?.open();
      await expect(desk.answers).toContainText(new RegExp(`\\bw${last + 13}\\b`));
      expect(words.text.startsWith((await desk.answerText()).trim()), `after cut ${cut + 1}`).toBe(true);
    }
    await expect(desk.answers).toHaveText([words.text]);
    await desk.isIdle();
    await expect(desk.connection).toContainText("Connected");
    await expect(desk.log.getByText(/Interrupted|failed/)).toHaveCount(0);
    await expect(desk.said("talk")).toHaveCount(1);
    expect(problems).toEqual([]);
  } finally {
    await proxy.close();
  }
});

test("a page that was frozen while 40 events passed is complete at once when it is looked at again (B276)", async ({ desk, api, models }) => {
  const words = gatedWords(2, 40, 4);
  models.script(conversation(() => words.reply));
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.ask("talk on");
  await expect(desk.answers).toContainText("w40");
  const devtools = await desk.page.context().newCDPSession(desk.page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  words.gates[0]?.open();
  await api.ends((await api.newestRun(sessionId)).run_id);
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
  await expect(desk.answers).toHaveText([words.text], { timeout: 5_000 });
  await desk.isIdle();
});
