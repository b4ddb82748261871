/** RFC row "Journal replay after refresh/reconnect": ten reloads in mid-run leave neither a gap nor a duplicate. */
import { expect } from "@playwright/test";
import { rawReply, callReply } from "#testing/model-replies";
import { createSeededRandom } from "#testing/seeded-random";
import { answerOf } from "./support/api";
import { conversation, SCRIPTED, test } from "./support/desk-test";
import { gatedWords, thinking } from "./support/gated-words";

const RELOADS = 10;
const WORDS_A_BATCH = 24;
const COMMAND = "printf 'one\\ntwo\\n' | tee out.txt";

test("a page that is reloaded at ten random moments of a run shows each word, call and thought once", async ({ desk, api, models }) => {
  const seed = Date.now() % 1_000_000;
  test.info().annotations.push({ type: "seed", description: String(seed) });
  const random = createSeededRandom(seed);
  const words = gatedWords(RELOADS + 1, WORDS_A_BATCH, 6);
  const first = callReply([{ name: "terminal", arguments: { command: COMMAND } }]);
  models.script(conversation((_, turn) => (turn === 1 ? rawReply([...thinking(["weigh ", "both"]), ...first.steps]) : words.reply)));

  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.ask("go on for long");
  const runId = (await api.newestRun(sessionId)).run_id;

  for (const [index, gate] of words.gates.entries()) {
    const moment = index * WORDS_A_BATCH + random.between(1, WORDS_A_BATCH);
    await expect(desk.answers).toContainText(new RegExp(`\\bw${moment}\\b`));
    gate.open();
    const known = answerOf(await api.runOf(sessionId, runId));
    await desk.reload();
    await expect(desk.log.locator(`[data-turn="${runId}"]`)).toHaveCount(1);
    let shown = "";
    await expect.poll(async () => (shown = (await desk.answerText()).trim()).length).toBeGreaterThanOrEqual(known.length);
    expect(words.text.startsWith(shown), `seed ${seed}, reload ${index + 1}: “${shown.slice(-80)}”`).toBe(true);
  }
  await desk.isIdle();
  const run = await api.runOf(sessionId, runId);
  expect(run.terminal_state).toBe("completed");
  expect(answerOf(run)).toBe(words.text);
  for (const round of ["as it ended", "reloaded"]) {
    await expect(desk.answers, round).toHaveText([words.text]);
    await expect(desk.tool(COMMAND), round).toHaveCount(1);
    await expect(desk.log.getByText(/^Thought for/), round).toHaveCount(1);
    await expect(desk.said("go on for long"), round).toHaveCount(1);
    if (round === "as it ended") await desk.reload();
  }
  await expect(await desk.openTool(COMMAND)).toContainText("one\ntwo");
});
