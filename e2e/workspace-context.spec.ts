/** RFC row "Workspace context": a run works in its session's folder with its session's files, and nowhere else. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { textReply } from "#testing/model-replies";
import { conversation, lastRequest, SCRIPTED, test } from "./support/desk-test";

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

test("commands and file tools run in the session's own folder and stay in it", async ({ desk, api, product }) => {
  const folder = join(product.folder, "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.txt"), "the seventh kite\n");
  writeFileSync(join(product.workspace, "elsewhere.txt"), "not yours\n");
  const sessionId = await api.makeSession({ workspace: folder });
  await desk.open(sessionId);
  await desk.ask(`run pwd\nread notes.txt\nwrite made.txt: by the agent\nread ${join(product.workspace, "elsewhere.txt")}`);
  await desk.isIdle();
  await expect(await desk.openTool("pwd")).toContainText(folder);
  await expect(await desk.openTool("notes.txt")).toContainText("the seventh kite");
  expect(readFileSync(join(folder, "made.txt"), "utf8")).toContain("by the agent");
  expect(existsSync(join(product.workspace, "made.txt"))).toBe(false);
  const outside = (await api.newestRun(sessionId)).parts.at(3);
  expect(outside).toMatchObject({ type: "tool", status: "error" });
  expect(outside?.result).not.toContain("not yours");
  expect((await api.events((await api.newestRun(sessionId)).run_id))[0]).toMatchObject({ payload: { workspace: folder } });
  await desk.reload();
  await expect(await desk.openTool("pwd")).toContainText(folder);
});

test("five files that are dropped are five attachments of the message (B212)", async ({ desk, api }) => {
  const sessionId = await api.makeSession();
  await desk.open(sessionId);
  const names = ["a", "b", "c", "d", "e"].map((name) => `${name}.txt`);
  const transfer = await desk.page.evaluateHandle((dropped) => {
    const data = new DataTransfer();
    for (const name of dropped) data.items.add(new File([`words of ${name}`], name, { type: "text/plain" }));
    return data;
  }, names);
  await desk.message.dispatchEvent("drop", { dataTransfer: transfer });
  await expect(desk.page.getByRole("list", { name: "Attachments" }).getByRole("listitem")).toHaveCount(5);
  await desk.ask("say all there");
  await expect(desk.answers).toHaveText(["all there"]);
  const run = await api.newestRun(sessionId);
  expect(run.message?.attachments.map((attachment) => attachment.name).sort()).toEqual(names);
});

test("files that are attached go with their message: the model is told of each, the page shows each once (B032, B206)", async ({ desk, api, models }) => {
  models.script(conversation(() => textReply("seen")));
  const sessionId = await api.makeSession(SCRIPTED);
  await desk.open(sessionId);
  const chooser = desk.page.getByLabel("Files to attach");
  await chooser.setInputFiles([
    { name: "kite.png", mimeType: "image/png", buffer: PNG },
    { name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("red\n") },
  ]);
  const tiles = desk.page.getByRole("list", { name: "Attachments" });
  await expect(tiles.getByRole("listitem")).toHaveCount(2);
  await desk.ask("look at these");
  await expect(desk.answers).toHaveText(["seen"]);
  await expect(tiles).toHaveCount(0);
  await desk.reload();
  await expect(desk.log.getByRole("img", { name: "kite.png" })).toHaveCount(1);
  await expect(desk.log.getByText("list.txt")).toHaveCount(1);
  await expect(desk.log.locator("[data-message]")).toHaveCount(1);
  const request = lastRequest(models);
  expect(request).toContain("kite.png");
  expect(request).toContain("list.txt");
  const run = await api.newestRun(sessionId);
  expect(run.message?.attachments.map((attachment) => attachment.name)).toEqual(expect.arrayContaining(["kite.png", "list.txt"]));
  await desk.ask("[screenshot]");
  await expect(desk.said("[screenshot]")).toHaveCount(1);
});
