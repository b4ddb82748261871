/** What a model, a tool or a file says is words: it never becomes an element, never runs, and output stays as it was printed. */
import { expect } from "@playwright/test";
import { callReply, errorReply, rawReply, textReply } from "#testing/model-replies";
import { conversation, SCRIPTED, test } from "./support/desk-test";
import { thinking } from "./support/gated-words";

const RUN = "window.__pwn=1";
const PAYLOADS = [
  `<img src=x onerror="${RUN}">`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<form action="javascript:${RUN}"><input autofocus onfocus="${RUN}"></form>`,
  `<style>body{display:none}</style><base href="https://evil.test/"><meta http-equiv="refresh" content="0;url=https://evil.test/">`,
  `<math><mtext><table><mglyph><style><!--</style><img src=x onerror="${RUN}">`,
  `<details open ontoggle="${RUN}"><p><script>${RUN}</script></p></details>`,
  `[a link](javascript:${RUN}) ![a picture](x"onerror="${RUN})`,
  `<a href="data:text/html,<script>${RUN}</script>">x</a><object data="javascript:${RUN}"></object><embed src="x">`,
  `"><script>${RUN}</script>`,
].join("\n\n");
const FILE = `<img src=x onerror=${RUN}>.txt`;
const TITLE = `<img src=x onerror=${RUN}> a title`;

test("hostile payloads in answer, thought, output, arguments, names, title and error stay words (B216)", async ({ desk, api, models }) => {
  const calls = callReply([
    { name: "terminal", arguments: { command: `printf '%s' '${PAYLOADS.replaceAll("'", "")}'` } },
    { name: "write_file", arguments: { path: FILE, content: PAYLOADS } },
  ]);
  models.script(
    conversation((_, turn) => {
      if (turn === 1) return rawReply([...thinking([PAYLOADS]), ...calls.steps]);
      return turn === 2 ? textReply(PAYLOADS) : errorReply(400, { message: PAYLOADS });
    }, TITLE),
  );
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  await desk.ask(PAYLOADS);
  await desk.isIdle();
  await desk.ask("and fail");
  await expect(desk.log.getByText("The model refused the request")).toBeVisible();
  const closed = desk.log.locator('button[aria-expanded="false"]:not([aria-haspopup])');
  while ((await closed.count()) > 0) await closed.first().click();
  await expect(desk.log.getByRole("figure").first()).toBeVisible();
  await desk.page.getByRole("tab", { name: "Files" }).click();
  await expect(desk.page.getByRole("complementary").getByText(FILE)).toBeVisible();

  const found = await desk.page.evaluate(() => {
    const foreign = document.querySelectorAll("[role=log] :is(iframe,object,embed,form,style,base,meta,script,math,details,img), nav :is(img,script)");
    const armed = [...document.querySelectorAll("*")].filter((element) => element.getAttributeNames().some((name) => name.startsWith("on")));
    const links = [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href") ?? "").filter((href) => !/^(\/|https?:|mailto:|#)/.test(href));
    return { foreign: [...foreign].map((element) => element.outerHTML.slice(0, 200)), armed: armed.length, links, pwned: "__pwn" in window };
  });
  expect(found).toEqual({ foreign: [], armed: 0, links: [], pwned: false });
  await expect(desk.answers.first()).toContainText(`<img src=x onerror="${RUN}">`);
  await desk.reload();
  expect(await desk.page.evaluate(() => "__pwn" in window)).toBe(false);
});

test("output stays as it was printed: no markdown, no escape byte, no link that acts (B188, B220)", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  const plain = "# x\n| a |\n> q\n*y*\tz\n   three";
  await desk.ask(`run printf '# x\\n| a |\\n> q\\n*y*\\tz\\n   three'\nrun printf '\\033[31mred\\033[0m \\033]8;;javascript:${RUN}\\007link\\033]8;;\\007 \\033]0;title\\007\\a end'`);
  await desk.isIdle();
  const [first, second] = (await api.newestRun(sessionId)).parts.filter((part) => part.type === "tool").map((part) => part.title ?? "");
  await expect.poll(async () => (await desk.openTool(first ?? "")).locator("pre").textContent()).toBe(plain);
  const colours = (await desk.openTool(second ?? "")).locator("pre");
  await expect(colours).toHaveText("red link end");
  expect(await colours.textContent()).not.toMatch(/[\u0000-\u0008\u000e-\u001f]/);
  await expect(colours.locator("a")).toHaveCount(0);
});

test("the page's policy would stop what got through anyway", async ({ browser, product, api }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(`${product.origin}/s/${await api.makeSession()}`);
  expect(answer?.headers()).toMatchObject({ "x-frame-options": "DENY", "x-content-type-options": "nosniff" });
  const refused = await page.evaluate(async (run) => {
    const violation = new Promise<string>((resolve) => document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective), { once: true }));
    document.body.insertAdjacentHTML("beforeend", `<img src="data:image/png;base64,x" onerror="${run}">`);
    return violation;
  }, RUN);
  expect(refused).toContain("script-src");
  expect(await page.evaluate(() => "__pwn" in window)).toBe(false);
  await context.close();
});
