import fc from "fast-check";
import { expect, it } from "vitest";
import type { JournalEvent } from "#protocol/events";
import * as say from "#fold/run-story.fixture";
import { logEvent, titled } from "#fold/session-story.fixture";
import { openSessionView, type SessionView } from "#fold/session-view";
import { FakeBackend } from "./fake-backend.fixture";
import { FakeBrowserProfile } from "./fake-browser.fixture";
import { OpenPage, until } from "./open-page.fixture";

const SESSIONS = ["ses_a", "ses_b"] as const;

/** A session's whole story: three turns, a title in the middle of each. */
function storyOf(sessionId: string): readonly JournalEvent[] {
  return [0, 1, 2].flatMap((turn) => {
    const run = say.story([...Array.from({ length: 12 }, (_, index) => say.token(`w${index} `)), say.done()], {
      runId: `run_${sessionId}_${turn}`,
      sessionId,
      at: 1000 + turn * 100,
    });
    return [...run.slice(0, 6), logEvent(turn + 1, titled(`Title ${turn}`), sessionId), ...run.slice(6)];
  });
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("commit" as const), session: fc.nat(1), count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("open" as const), session: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), tab: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("show" as const), tab: fc.nat(4), session: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hide" as const), tab: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("freeze" as const), tab: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("breathe" as const), turns: fc.integer({ min: 1, max: 30 }) }) },
);

const shown = (view: SessionView | null) => ({ title: view?.session.title, runs: view?.runs.map((run) => [run.run_id, run.last_seq, run.parts]) });

/** Lets the event loop go round, so that requests, messages and frames interleave with the steps. */
async function breathe(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

it("C4: tabs that come, go, hide, freeze and lose their connection all end with all that was committed, over one stream", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const backend = await FakeBackend.open();
      const profile = new FakeBrowserProfile();
      const stories = SESSIONS.map((session) => [...storyOf(session)]);
      for (const session of SESSIONS) backend.add(session);
      let keys = 0;
      const pages: { readonly page: OpenPage; session: number }[] = [];
      const open = (session: number) => {
        const page = new OpenPage(profile.openTab(backend.origin), () => `key_${(keys += 1)}`);
        page.client.sessions.show(SESSIONS[session] ?? "ses_a");
        pages.push({ page, session });
      };
      open(0);
      for (const what of steps) {
        const opened = "tab" in what ? pages[what.tab] : undefined;
        if (what.kind === "commit") backend.commit(...(stories[what.session]?.splice(0, what.count) ?? []));
        else if (what.kind === "open" && pages.length < 5) open(what.session);
        else if (what.kind === "drop") backend.dropStreams();
        else if (what.kind === "breathe") await breathe(what.turns);
        else if (opened === undefined) continue;
        else if (what.kind === "hide") opened.page.tab.show(!opened.page.tab.isVisible());
        else if (what.kind === "freeze") opened.page.tab.freeze();
        else if (what.kind === "show") {
          opened.page.client.sessions.show(SESSIONS[what.session] ?? "ses_a");
          opened.session = what.session;
        } else if (what.kind === "close" && pages.length > 1) {
          opened.page.close();
          pages.splice(pages.indexOf(opened), 1);
        }
      }
      // Nothing more is committed from here on: what a tab has missed, no later event would show.
      for (const { page } of pages) {
        page.tab.thaw();
        page.tab.show(true);
      }
      for (const { page, session } of pages) {
        const id = SESSIONS[session] ?? "ses_a";
        await until(() => shown(page.view(id)), shown(openSessionView(backend.opened(id))));
      }
      await until(() => backend.openStreams, 1);
      for (const { page } of pages) page.close();
      await backend.close();
      expect(pages.length).toBeGreaterThan(0);
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 120_000);
