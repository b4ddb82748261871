/** RFC slices 2 to 4: the mode is a choice of placement. No session, journal or answer changes with it, and none falls back in silence. */
import { expect } from "@playwright/test";
import { DeskPage } from "./support/desk-page";
import { findFreePort } from "./support/free-port";
import { test } from "./support/desk-test";
import { Product, type ProductPlan } from "./support/product";

const START_KEYS = ["effective_model", "effective_model_provider", "pending_started_at", "session_id", "stream_id", "title", "turn_id"];
const UNSET: ProductPlan = { mode: "web-alone" };
const JOURNAL: ProductPlan = { mode: "web-alone", env: { HERMES_WEBUI_RUNTIME_ADAPTER: "legacy-journal" } };
const NO_RUNNER: ProductPlan = { mode: "web-alone", health: "degraded", env: { HERMES_WEBUI_RUNTIME_ADAPTER: "runner-local" } };

test("one home in every mode: the same sessions, the same answers, a waiting prompt that goes along, and no turn where there is no runner", async ({ page, problems }) => {
  test.slow();
  const product = await Product.start({ mode: "runner-local" });
  try {
    const { api } = product;
    const desk = new DeskPage(page, product.origin);
    const sessionId = await api.makeSession();
    const waiting = await api.start(await api.makeSession(), "run rm -r nothing-here || true");
    await api.reaches(waiting, "awaiting_approval");
    const { pending_approval_id } = await api.statusOf(waiting);
    const answers: string[] = [];
    for (const [name, plan] of [["runner-local", null], ["legacy-direct", UNSET], ["legacy-journal", JOURNAL], ["runner-local", { mode: "runner-local" }]] as const) {
      if (plan !== null) await product.become(plan);
      expect(await api.ask("GET", "/api/health"), "an unset mode is legacy-direct").toMatchObject({ adapter: name });
      answers.push(`turn ${answers.length + 1} by ${name}`);
      const started = await api.ask("POST", "/api/chat/start", { session_id: sessionId, message: `say ${answers.at(-1)}` });
      expect(Object.keys(started).sort(), name).toEqual(START_KEYS);
      await api.ends(String(started["stream_id"]));
      await desk.open(sessionId);
      await expect(desk.answers, name).toHaveText(answers);
      await expect.poll(async () => (await api.statusOf(waiting)).pending_approval_id, { message: name }).toBe(pending_approval_id);
    }

    await product.become(NO_RUNNER);
    const refused = await api.call("POST", "/api/chat/start", { session_id: sessionId, message: "say nobody runs this" });
    expect(refused).toMatchObject({ status: 501, body: { error: { code: "runner_not_configured" } } });
    await desk.open(sessionId);
    await expect(desk.answers).toHaveText(answers);
    const port = await findFreePort();
    await product.become({ ...NO_RUNNER, env: { ...NO_RUNNER.env, HERMES_WEBUI_RUNNER_BASE_URL: `http://127.0.0.1:${port}` } });
    const before = performance.now();
    const unanswered = await api.call("POST", "/api/chat/start", { session_id: sessionId, message: "say nobody runs this" });
    expect(unanswered).toMatchObject({ status: 503, body: { error: { code: "runner_unavailable" } } });
    expect(performance.now() - before, "milliseconds until it says so").toBeLessThan(6_000);
    expect((await api.open(sessionId)).runs).toHaveLength(answers.length);

    await product.become(UNSET);
    await api.ask("POST", "/api/chat/cancel", { stream_id: waiting });
    expect(await api.ends(waiting)).toBe("cancelled");
    expect(problems).toEqual([]);
  } finally {
    await product.stop();
  }
});
