import { afterEach, beforeEach, expect, it } from "vitest";
import { promptsOf } from "#fold/session-selectors";
import * as say from "#fold/run-story.fixture";
import { FakeBackend } from "./fake-backend.fixture";
import { FakeBrowserProfile } from "./fake-browser.fixture";
import { OpenPage, until } from "./open-page.fixture";

let backend: FakeBackend;
let page: OpenPage;
let keys = 0;

beforeEach(async () => {
  backend = await FakeBackend.open();
  page = new OpenPage(new FakeBrowserProfile().openTab(backend.origin), () => `key_${(keys += 1)}`);
});
afterEach(async () => {
  page.close();
  await backend.close();
});

const waiting = say.story([say.requested(["call_1"]), say.approvalRequested("apr_1", "call_1")]);
const answerOf = (id: string) => page.client.prompts.store.getState().answers[id];
const open = () => {
  const view = page.view("ses_1");
  return view === null ? [] : promptsOf(view);
};

it("an answer is sent once; the card changes by the event alone", async () => {
  backend.add("ses_1", waiting);
  page.client.sessions.show("ses_1");
  await until(() => open().length, 1);
  const first = page.client.prompts.answerApproval("ses_1", "apr_1", "once");
  expect(answerOf("apr_1")).toEqual({ status: "sending", choice: "once" });
  await page.client.prompts.answerApproval("ses_1", "apr_1", "deny");
  await first;
  expect(answerOf("apr_1")).toEqual({ status: "sent", choice: "once" });
  expect(backend.posts).toHaveLength(1);
  expect(open()).toHaveLength(1);
});

it("B063: an answer that comes too late says so, and the card that is not there any more goes", async () => {
  backend.add("ses_1", waiting);
  page.client.sessions.show("ses_1");
  await until(() => open().length, 1);
  const ended = say.story([say.requested(["call_1"]), say.approvalRequested("apr_1", "call_1"), say.cancelled()]).slice(3);
  for (const event of ended) backend.skipInStreams(event);
  backend.plannedPosts.push(409);
  await page.client.prompts.answerApproval("ses_1", "apr_1", "once");
  expect(answerOf("apr_1")).toMatchObject({ status: "failed", failure: { code: "not_active" } });
  await until(() => open().length, 0);
});

it("an answer that did not arrive can be sent again", async () => {
  backend.plannedPosts.push(503);
  await page.client.prompts.answerClarify("ses_1", "clr_1", { q1: "yes" });
  expect(answerOf("clr_1")?.status).toBe("failed");
  await page.client.prompts.answerClarify("ses_1", "clr_1", { q1: "yes" });
  expect(answerOf("clr_1")?.status).toBe("sent");
  expect(backend.posts[1]?.body).toEqual({ session_id: "ses_1", clarify_id: "clr_1", answers: { q1: "yes" } });
});
