import { afterEach, expect, it } from "vitest";
import { until } from "#testing/until";
import { openStory, texts, type HostStory } from "./host-story.fixture";

let story: HostStory;

afterEach(() => story.close());

it("a run whose events a full disk did not take for long ends as interrupted once there is space, and the session goes on", async () => {
  story = await openStory({ timing: { longestWaitMs: 25, retryForMs: 300, retryEveryMs: 20 }, env: { HERMES_RUNNER_LEASE_S: "1" } });
  const { host } = story;
  const { run_id, session_id } = await story.start("stream 4000 5");
  await until(async () => texts(await story.view(run_id)).length > 0);
  const { rows } = await host.database.execute("PRAGMA page_count");
  await host.database.execute(`PRAGMA max_page_count = ${Number(rows[0]?.[0])}`);
  await until(() => host.host.liveRun(run_id) === undefined);
  const kept = texts(await story.view(run_id));
  expect(await host.host.cancel(run_id, "Stopped.")).toMatchObject({ ok: true, value: { accepted: false, status: "conflict" } });

  await host.database.execute("PRAGMA max_page_count = 1000000");
  const ended = await story.ended(run_id);
  expect(ended).toMatchObject({ terminal_state: "interrupted", error: { code: "runtime_interrupted", message: expect.stringContaining("nothing could be stored") } });
  expect(texts(ended)).toEqual(kept);
  await story.lawful(run_id);
  const next = await story.start("say Again.", session_id);
  expect(texts(await story.ended(next.run_id))).toEqual(["Again."]);
});
