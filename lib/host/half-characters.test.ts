import { afterEach, expect, it } from "vitest";
import type { ModelPort } from "#agent/model/model-port";
import { until } from "#testing/until";
import { openStory, texts, type HostStory } from "./host-story.fixture";

let story: HostStory;

afterEach(() => story.close());

it("halves of characters from a person or a model end no process: joined where both come, U+FFFD where one stays alone", async () => {
  const halves = ["\ud83d", "\ude00 a ", "\ud800", " b", "\udc00", " c \ud83d"];
  const port: ModelPort = {
    provider: "scripted",
    async *stream(request) {
      const isTitle = request.messages[0]?.content.toString().startsWith("Hermes title") === true;
      for (const text of isTitle ? ["Kite \ud800", "!"] : halves) yield { type: "text", text };
      yield { type: "finish", reason: "stop" };
    },
  };
  story = await openStory({ port });
  const { run_id, session_id } = await story.start("go \ud800 on \ude00");
  const view = await story.ended(run_id);
  expect(view.message?.text).toBe("go \ufffd on \ufffd");
  expect(texts(view)).toEqual(["😀 a \ufffd b\ufffd c \ufffd"]);
  await until(async () => (await story.host.host.rows.session(session_id))?.title === "Kite \ufffd!");
  // What SQL makes of it is text.
  const { rows } = await story.host.database.execute("SELECT group_concat(envelope ->> '$.payload.delta', '') AS text FROM events WHERE type = 'token.delta'");
  expect(rows[0]?.["text"]).toBe(texts(view)[0]);
});
