import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalEvent, RunEventBody, SessionEventBody } from "#protocol/events";
import { firstGap, foldSession, foldSessionAll } from "./fold-session";
import * as say from "./run-story.fixture";
import { logEvent, opened, openedAfter, queued, rewound, titled } from "./session-story.fixture";
import { openSessionView, type SessionView } from "./session-view";
import { turnsOf } from "./transcript";

const EMPTY = openSessionView(opened("ses_1"));

const runBody = fc.oneof(
  fc.string({ maxLength: 5 }).map((text) => say.token(text)),
  fc.string({ maxLength: 5 }).map((text) => say.reasoning(text)),
  fc.nat(2).map((call) => say.requested([`call_${call}`])),
  fc.tuple(fc.nat(2), fc.string({ maxLength: 5 })).map(([call, text]) => say.stdout(`call_${call}`, text)),
  fc.nat(2).map((call) => say.toolDone(`call_${call}`)),
);
const fact = fc.oneof(
  fc.string({ maxLength: 5 }).map(titled),
  fc.string({ maxLength: 5 }).map((text) => queued(text)),
);
/** One turn of a session: its bodies, facts that are committed while it runs, and what is undone or restored after it. */
const turn = fc.record({
  bodies: fc.array(runBody, { maxLength: 8 }),
  facts: fc.array(fc.tuple(fact, fc.nat(9)), { maxLength: 3 }),
  undo: fc.option(fc.tuple(fc.nat(3), fc.constantFrom("undo" as const, "retry" as const, "restore" as const))),
});
type TurnStory = typeof turn extends fc.Arbitrary<infer T> ? T : never;

const commits = fc.array(turn, { minLength: 1, maxLength: 4 }).map(commitOrder);

function commitOrder(turns: readonly TurnStory[]): readonly JournalEvent[] {
  const events: JournalEvent[] = [];
  let logSeq = 0;
  const note = (body: SessionEventBody) => events.push(logEvent((logSeq += 1), body));
  turns.forEach(({ bodies, facts, undo }, index) => {
    const whole: readonly RunEventBody[] = [...bodies, say.done()];
    say.story(whole, { runId: `run_${index}`, at: 1000 + index * 100 }).forEach((event, place) => {
      events.push(event);
      for (const [body, at] of facts) if (at === place) note(body);
    });
    if (undo !== null) note(rewound([`run_${Math.min(undo[0], index)}`], undo[1]));
  });
  return events;
}

/** Each connection begins at or before what was seen, delivers some in batches, and breaks. */
const connections = fc.array(fc.record({ back: fc.nat(12), count: fc.nat(15), batch: fc.integer({ min: 1, max: 6 }) }), { maxLength: 12 });
type Connections = typeof connections extends fc.Arbitrary<infer T> ? T : never;

/** What a page holds after these connections and one that lasts; no connection goes back before `start`. */
function observe(state: SessionView, events: readonly JournalEvent[], start: number, breaks: Connections): SessionView {
  let view = state;
  let seen = start;
  for (const { back, count, batch } of [...breaks, { back: 3, count: events.length, batch: 4 }]) {
    const from = Math.max(start, seen - back);
    const delivered = events.slice(from, from + back + count);
    for (let at = 0; at < delivered.length; at += batch) view = foldSessionAll(view, delivered.slice(at, at + batch));
    seen = Math.max(seen, Math.min(events.length, from + delivered.length));
  }
  return view;
}

const wholeFold = (events: readonly JournalEvent[]) => events.reduce<SessionView>(foldSession, EMPTY);
/** What is drawn; `restore` of a run that the page never held makes it open the session anew. */
const shown = (view: SessionView) => ({ title: view.session.title, queue: view.queue, turns: turnsOf(view).map((shownTurn) => shownTurn.run), cursor: view.cursor });

describe("any split, any duplicate, any order of reconnects gives the same view", () => {
  it("from an empty view", () => {
    fc.assert(
      fc.property(commits, connections, (events, breaks) => {
        expect(observe(EMPTY, events, 0, breaks)).toEqual(wholeFold(events));
      }),
    );
  });

  it("from GET session at any point, carried on from its cursor", () => {
    fc.assert(
      fc.property(commits, fc.nat(60), connections, (events, point, breaks) => {
        const at = point % (events.length + 1);
        const carried = observe(openSessionView(openedAfter("ses_1", events.slice(0, at))), events, at, breaks);
        const anew = carried.missing_runs.length === 0 ? carried : openSessionView(openedAfter("ses_1", events), carried);
        expect(shown(anew)).toEqual(shown(wholeFold(events)));
      }),
    );
  });

  it("opening anew at any later point gives the same view too", () => {
    fc.assert(
      fc.property(commits, fc.nat(60), (events, point) => {
        const at = point % (events.length + 1);
        const before = openSessionView(openedAfter("ses_1", events.slice(0, at)));
        expect(shown(openSessionView(openedAfter("ses_1", events), before))).toEqual(shown(wholeFold(events)));
      }),
    );
  });

  it("an unbroken stream has no gap", () => {
    fc.assert(
      fc.property(commits, (events) => {
        expect(firstGap(EMPTY, events)).toBe(-1);
        for (let at = 0; at < events.length; at += 1) expect(firstGap(wholeFold(events.slice(0, at)), events)).toBe(-1);
      }),
    );
  });
});
