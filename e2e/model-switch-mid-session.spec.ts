/** RFC row "Model switch mid-session": the next turn asks the model that was picked, and earlier turns keep theirs. */
import { expect } from "@playwright/test";
import { textReply } from "#testing/model-replies";
import { z } from "zod";
import { conversation, SCRIPTED, test } from "./support/desk-test";

const modelSchema = z.looseObject({ model: z.string() });

test("the picker changes the model of this session only, for the turns from now on, and a reload keeps it", async ({ desk, api, models }) => {
  models.script(conversation((request) => textReply(`told by ${modelSchema.parse(request.body).model}`)));
  const [sessionId, other] = await Promise.all([api.makeSession(SCRIPTED), api.makeSession(SCRIPTED)]);
  await desk.open(sessionId);
  await desk.ask("who are you");
  await expect(desk.answers).toHaveText(["told by alpha"]);
  await desk.isIdle();
  await desk.modelPicker.click();
  await desk.page.getByRole("option", { name: "beta" }).click();
  await expect(desk.modelPicker).toContainText("beta");
  await desk.reload();
  await expect(desk.modelPicker).toContainText("beta");
  await desk.ask("and now");
  await expect(desk.answers).toHaveText(["told by alpha", "told by beta"]);

  const { session, runs } = await api.open(sessionId);
  expect(session).toMatchObject({ provider: "scripted", model: "beta" });
  const started = await Promise.all(runs.map(async (run) => (await api.events(run.run_id))[0]));
  expect(started.map((event) => event?.payload)).toMatchObject([
    { provider: "scripted", model: "alpha" },
    { provider: "scripted", model: "beta" },
  ]);
  await api.run(other, "untouched");
  expect((await api.open(other)).session.model).toBe("alpha");
  // A model that a start names holds for that turn.
  const named = await api.start(sessionId, "for once", { provider: "scripted", model: "alpha" });
  await api.ends(named);
  await expect(desk.answers.last()).toHaveText("told by alpha");
});
