/** A session is deleted while its run has a child at work: both end, and neither they nor their rows stay. */
import { afterEach, expect, it } from "vitest";
import { createRedactor } from "#journal/redact";
import { deleteSession } from "#sessions/delete-session";
import { callReply, textReply } from "#testing/model-replies";
import { until } from "#testing/until";
import { openModelServerStory, type ModelServerStory } from "./model-server-story.fixture";

let story: ModelServerStory;

afterEach(() => story.close());

it("takes its children along, begins no further one, and leaves no row", async () => {
  story = await openModelServerStory();
  const { host, database, journal, controls } = story.host;
  story.answer([
    callReply([
      { name: "delegate_task", arguments: { goal: "ask one" } },
      { name: "delegate_task", arguments: { goal: "ask two" } },
    ]),
    callReply([{ name: "clarify", arguments: { question: "Which one?" } }]),
    textReply("over"),
  ]);
  const { run_id, session_id } = await story.start("go");
  await until(() => host.liveRuns().some((run) => run.view().status === "awaiting_clarify"));
  const children = host.liveRuns().filter((run) => run.run_id !== run_id);
  expect(children).toHaveLength(1);
  const room = { database, journal, createId: host.dependencies.create_id, now: host.dependencies.now, redactor: createRedactor(() => []) };
  const removed: string[] = [];
  await deleteSession(
    room,
    {
      quiesce: async (id) => expect(await controls.quiesce(id)).toMatchObject({ ok: true }),
      removeFiles: async (id) => void removed.push(id),
    },
    session_id,
  );
  await Promise.all(children.map((child) => child.finished));
  expect(children.map((child) => child.view().terminal_state)).toEqual(["cancelled"]);
  expect(removed).toEqual([session_id, children[0]?.request.session_id]);
  expect(host.liveRuns()).toEqual([]);
  const left = await database.read(["sessions", "runs", "events", "run_views"].map((table) => `SELECT COUNT(*) AS count FROM ${table}`));
  expect(left.map((result) => result.rows[0]?.["count"])).toEqual([0, 0, 0, 0]);
});
