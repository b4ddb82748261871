import { describe, expect, it } from "vitest";
import type { RunEventBody } from "#protocol/events";
import type { ModelMessage } from "#protocol/model-message";
import type { RunView } from "#protocol/run-view";
import { checkModelMessages } from "./check-model-messages.fixture";
import { foldRunAll } from "./fold-run";
import { toModelMessages } from "./model-messages";
import * as say from "./run-story.fixture";

const PLAIN = { system: null, images: true } as const;

function run(id: string, text: string | null, bodies: readonly RunEventBody[], more: say.StoryOptions = {}): RunView {
  return foldRunAll(null, say.story(bodies, { runId: id, text, ...more }));
}

function roles(messages: readonly ModelMessage[]): readonly string[] {
  return messages.map((message) => message.role);
}

describe("toModelMessages", () => {
  it("tells earlier turns and the running one, step by step", () => {
    const first = run("run_1", "one", [say.token("answer one", "seg_1"), say.done()]);
    const live = run("run_2", "two", [
      say.token("Let me look.", "seg_1", "msg_a"),
      say.requested(["call_1", "call_2"], "msg_a"),
      say.toolStarted("call_1"),
      say.toolDone("call_1", "out 1"),
      say.toolDone("call_2", "no", "denied"),
    ]);
    const messages = toModelMessages([first, live], { system: "You are Hermes.", images: true });
    expect(messages).toEqual([
      { role: "system", content: "You are Hermes." },
      { role: "user", content: "one" },
      { role: "assistant", content: "answer one" },
      { role: "user", content: "two" },
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [
          { id: "call_1", name: "terminal", arguments: { command: "echo call_1" } },
          { id: "call_2", name: "terminal", arguments: { command: "echo call_2" } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", name: "terminal", content: "out 1" },
      { role: "tool", tool_call_id: "call_2", name: "terminal", content: "no" },
    ]);
    expect(checkModelMessages(messages)).toEqual([]);
  });

  it("parts two steps of a turn and does not send reasoning back", () => {
    const view = run("run_1", "go", [
      say.reasoning("secret thought"),
      say.requested(["call_1"], "msg_a"),
      say.toolDone("call_1"),
      say.token("first", "seg_1", "msg_b"),
      say.token("second", "seg_2", "msg_b"),
      say.requested(["call_2"], "msg_b"),
      say.toolDone("call_2", ""),
      say.token("end", "seg_3", "msg_c"),
      say.done(),
    ]);
    const messages = toModelMessages([view], PLAIN);
    expect(roles(messages)).toEqual(["user", "assistant", "tool", "assistant", "tool", "assistant"]);
    expect(messages[3]).toMatchObject({ content: "first\n\nsecond" });
    expect(messages[4]).toMatchObject({ content: "[It succeeded without output.]" });
    expect(JSON.stringify(messages)).not.toContain("secret thought");
  });

  it("B036: a call that was cancelled with its run has one result that says so, and the turn says it was stopped", () => {
    const stopped = run("run_1", "go", [say.token("par", "seg_1"), say.requested(["call_1"], "msg_a"), say.toolStarted("call_1"), say.cancelled()]);
    const messages = toModelMessages([stopped, run("run_2", "and now", [])], PLAIN);
    expect(messages.slice(2)).toEqual([
      { role: "tool", tool_call_id: "call_1", name: "terminal", content: "[The person stopped this before it was finished.]" },
      { role: "assistant", content: "[The person stopped this turn before it was finished.]" },
      { role: "user", content: "and now" },
    ]);
    expect(checkModelMessages(messages)).toEqual([]);
  });

  it.each<readonly [string, RunEventBody, string]>([
    ["failed", say.failed("provider_overloaded"), "failed before it was finished"],
    ["interrupted", say.failed("runtime_interrupted"), "cut off"],
    ["step limit", say.done("tool_limit_reached"), "limit of steps"],
    ["no answer", say.done("no_response"), "without an answer"],
  ])("tells a turn's ending honestly: %s", (_name, ending, words) => {
    const messages = toModelMessages([run("run_1", "go", [ending]), run("run_2", "next", [])], PLAIN);
    expect(roles(messages)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.content).toContain(words);
    expect(messages[2]?.content).toBe("next");
  });

  it("joins neighbours of one role with an empty line", () => {
    const messages = toModelMessages([run("run_1", "one", [say.done()]), run("run_2", "two", [])], PLAIN);
    expect(messages).toEqual([{ role: "user", content: "one\n\ntwo" }]);
  });

  it("B259: what was rewound is not told", () => {
    const gone = { ...run("run_1", "forget me", [say.token("gone"), say.done()]), rewound: true };
    expect(toModelMessages([gone, run("run_2", "two", [])], PLAIN)).toEqual([{ role: "user", content: "two" }]);
  });

  it("names attachments, and sends images to a model that takes them", () => {
    const opening = say.started({ text: "look" });
    if (opening.type !== "run.started" || opening.payload.message === null) return expect.unreachable();
    opening.payload.message.attachments = [
      { attachment_id: "att_1", name: "shot.png", mime: "image/png", size: 3, is_image: true },
      { attachment_id: "att_2", name: "notes.txt", mime: "text/plain", size: 3, is_image: false, path: "/files/notes.txt" },
    ];
    const view = foldRunAll(null, say.tell([opening]));
    const content = "look\n\n[Attached image: shot.png]\n[Attached file: notes.txt at /files/notes.txt]";
    const images = [{ attachment_id: "att_1", name: "shot.png", mime: "image/png" }];
    expect(toModelMessages([view], PLAIN)).toEqual([{ role: "user", content, images }]);
    expect(toModelMessages([view], { system: null, images: false })).toEqual([{ role: "user", content }]);
  });

  it("tells a goal's continuation by its instruction, and invents a beginning where nobody spoke", () => {
    const goal = run("run_1", null, [say.token("on it"), say.done()], { source: "goal", instruction: "Go on with the goal." });
    expect(toModelMessages([goal], PLAIN)[0]).toEqual({ role: "user", content: "Go on with the goal." });
    const silent = toModelMessages([run("run_1", null, [say.token("hi"), say.done()])], PLAIN);
    expect(checkModelMessages(silent)).toEqual([]);
  });
});

describe("steers", () => {
  const applied = say.steer("applied", "left instead");

  it("come after the results of the step they waited for", () => {
    const view = run("run_1", "go", [
      say.requested(["call_1"], "msg_a"),
      say.toolStarted("call_1"),
      say.steer("accepted", "left instead"),
      say.toolDone("call_1"),
      applied,
      say.token("left", "seg_1", "msg_b"),
    ]);
    const messages = toModelMessages([view], PLAIN);
    expect(roles(messages)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
    expect(messages[3]?.content).toBe("left instead");
  });

  it("stay after a step whose request had left before they were accepted", () => {
    const view = run("run_1", "go", [
      say.steer("accepted", "left instead"),
      say.requested(["call_1"], "msg_a"),
      say.toolStarted("call_1"),
      say.toolDone("call_1"),
      applied,
    ]);
    expect(roles(toModelMessages([view], PLAIN))).toEqual(["user", "assistant", "tool", "user"]);
  });

  it("that never reached the model are not told as if they had", () => {
    const view = run("run_1", "go", [say.steer("accepted", "left instead"), say.token("right"), say.done()]);
    expect(JSON.stringify(toModelMessages([view], PLAIN))).not.toContain("left");
  });
});

describe("B253: compression is a border", () => {
  const one = run("run_1", "one", [say.requested(["call_1"]), say.toolDone("call_1"), say.token("a1", "seg_1", "msg_b"), say.done()]);
  const two = run("run_2", "two", [say.token("a2"), say.done()]);
  const compress = run("run_3", null, [say.compressed("They said one and two.", ["run_1", "run_2"]), say.done()], { source: "compress" });

  it("one user message holds the summary in place of the covered runs, apart from the person's next words", () => {
    const messages = toModelMessages([one, two, compress, run("run_4", "three", [])], PLAIN);
    expect(messages.map((message) => message.content)).toEqual([
      "[Summary of the conversation so far]\n\nThey said one and two.",
      "[The summary is read. The conversation goes on after it.]",
      "three",
    ]);
  });

  it("the newest border wins and earlier summaries are not told beside it", () => {
    const three = run("run_4", "three", [say.token("a3"), say.done()]);
    const later = run("run_5", null, [say.compressed("All three.", ["run_4"]), say.done()], { source: "compress" });
    const messages = toModelMessages([one, two, compress, three, later], PLAIN);
    expect(messages).toEqual([{ role: "user", content: "[Summary of the conversation so far]\n\nAll three." }]);
  });

  it("turns that were kept before the covered ones stay before the summary", () => {
    const later = run("run_4", null, [say.compressed("They said two.", ["run_2"]), say.done()], { source: "compress" });
    const messages = toModelMessages([one, two, later, run("run_5", "five", [])], PLAIN);
    expect(roles(messages)).toEqual(["user", "assistant", "tool", "assistant", "user", "assistant", "user"]);
    expect(messages[4]?.content).toContain("They said two.");
    expect(messages[6]?.content).toBe("five");
  });

  it("runs that the border leaves out stay whole, and the run that holds it goes on after it", () => {
    const live = run("run_4", "three", [
      say.requested(["call_a"], "msg_a"),
      say.toolDone("call_a", "long output"),
      say.compressed("Until here.", ["run_1", "run_4"]),
      say.requested(["call_b"], "msg_b"),
      say.toolDone("call_b", "next output"),
    ]);
    const messages = toModelMessages([one, two, live], PLAIN);
    expect(checkModelMessages(messages)).toEqual([]);
    expect(messages.map((message) => message.content)).toEqual([
      "[Summary of the conversation so far]\n\nUntil here.",
      "[The summary is read. The conversation goes on after it.]",
      "two",
      "a2",
      "three",
      "",
      "next output",
    ]);
  });

  it("with the border at any of forty turns with calls the next request is one that a strict provider takes", () => {
    const history = Array.from({ length: 40 }, (_, index) =>
      run(`run_${index}`, `question ${index}`, [
        say.requested([`call_${index}a`, `call_${index}b`], "msg_a"),
        say.toolDone(`call_${index}a`),
        say.toolDone(`call_${index}b`, "no", "denied"),
        say.token(`answer ${index}`, "seg_1", "msg_b"),
        index % 7 === 3 ? say.cancelled() : say.done(),
      ]),
    );
    const next = run("run_next", "and now", []);
    for (let first = 0; first < 3; first += 1) {
      for (let last = first; last < history.length; last += 1) {
        const covers = history.slice(first, last + 1).map((view) => view.run_id);
        const border = run("run_border", null, [say.compressed("What was said.", covers), say.done()], { source: "compress" });
        const messages = toModelMessages([...history, border, next], PLAIN);
        expect(checkModelMessages(messages), `runs ${first} to ${last}`).toEqual([]);
        const told = new Set(messages.flatMap((message) => message.content.split("\n\n")));
        expect(history.flatMap((_, index) => (told.has(`question ${index}`) ? [] : [`run_${index}`]))).toEqual(covers);
        expect(messages.at(-1)?.content).toContain("and now");
      }
    }
  });

  it("B255: a compression without a summary changes nothing", () => {
    const empty = run("run_3", null, [say.compressed("  ", ["run_1", "run_2"]), say.done()], { source: "compress" });
    const failed = run("run_3", null, [say.failed("provider_overloaded")], { source: "compress" });
    const plain = toModelMessages([one, two], PLAIN);
    expect(toModelMessages([one, two, empty], PLAIN)).toEqual(plain);
    expect(toModelMessages([one, two, failed], PLAIN)).toEqual(plain);
  });
});
