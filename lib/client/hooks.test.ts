import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { createClient } from "./client";
import { ClientContext } from "./context";
import { FakeBrowserProfile } from "./fake-browser.fixture";
import { useComposer } from "./use-composer";
import { useConnection } from "./use-connection";
import { usePromptAnswer } from "./use-prompt-answer";
import { useSession } from "./use-session";
import { useSessionList } from "./use-session-list";

function Page() {
  const facts = [useSession("ses_1").status, useSessionList().status, useConnection().kind, useComposer("ses_1").text, usePromptAnswer("apr_1")];
  return createElement("p", null, JSON.stringify(facts));
}

it("components read the client of their context, on a server as well", () => {
  const client = createClient({ basePath: "", browser: new FakeBrowserProfile().openTab("http://127.0.0.1:1"), createKey: () => "key" });
  const markup = renderToStaticMarkup(createElement(ClientContext, { value: client }, createElement(Page)));
  expect(markup.replaceAll("&quot;", '"')).toBe('<p>["opening","loading","idle","",null]</p>');
});

it("a component without a client is a mistake", () => {
  expect(() => renderToStaticMarkup(createElement(Page))).toThrow("ClientContext");
});
