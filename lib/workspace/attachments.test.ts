import { readdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createIdFactory, type SessionId } from "#protocol/ids";
import { deleteSessionAttachments, findAttachment, storeAttachment } from "./attachments";
import { detectMediaType, isInert } from "./media-type";
import { toSafeName } from "./safe-name";
import { makeWorkspace, type WorkspaceFixture } from "./workspace-fixture";

let place: WorkspaceFixture;
beforeEach(async () => {
  place = await makeWorkspace();
});
afterEach(() => place.remove());

const createId = createIdFactory();
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

async function* pieces(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

function store(session: SessionId, name: string, ...parts: readonly Uint8Array[]) {
  return storeAttachment({ state_dir: place.base, session_id: session, attachment_id: createId("att"), name, bytes: pieces(...parts) });
}

it("keeps two files of one name apart, also when they come at one moment (B206)", async () => {
  const session = createId("ses");
  const stored = await Promise.all([store(session, "kite.png", PNG), store(session, "kite.png", PNG, Buffer.from("more")), store(session, "kite.png", PNG)]);
  expect(stored.map(({ name }) => name).toSorted()).toEqual(["kite (2).png", "kite (3).png", "kite.png"]);
  expect(new Set(stored.map((attachment) => attachment.path)).size).toBe(3);
  for (const attachment of stored) {
    expect(path.basename(attachment.path)).toBe(attachment.name);
    expect((await readFile(attachment.path)).length).toBe(attachment.size);
    expect(await findAttachment(place.base, attachment.attachment_id)).toEqual(attachment);
    expect(attachment).toMatchObject({ mime: "image/png", is_image: true });
  }
  expect((await store(createId("ses"), "kite.png", PNG)).name).toBe("kite.png");
});

it("makes a name out of anything, and leaves nothing outside (B208)", async () => {
  const session = createId("ses");
  const given = ["../../x", "/etc/x", "..\\x", "a/../../x", "..", ".", "", "a\0b", "%2e%2e/x", "x".repeat(300) + ".txt", ".bashrc", "é\u202Egnp.exe", "attachment.json", "\ud800"];
  for (const name of given) {
    const stored = await store(session, name, Buffer.from("hi"));
    expect(stored.name).toMatch(/^[^/\\\0.][^/\\\0]*$/);
    expect(Buffer.byteLength(stored.name)).toBeLessThan(140);
    expect(path.dirname(stored.path)).toBe(path.join(place.base, "attachments", stored.attachment_id));
    expect(await readFile(stored.path, "utf8")).toBe("hi");
  }
  expect((await readdir(place.base)).toSorted()).toEqual(["attachments", "outside", "ws"]);
  expect(toSafeName("é\u202Egnp.exe")).toBe("égnp.exe");
});

it("stops at the limit while the bytes come in, and leaves nothing (B210)", async () => {
  const session = createId("ses");
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      given += 65_536;
      yield Buffer.alloc(65_536);
    }
  }
  const attachment_id = createId("att");
  await expect(storeAttachment({ state_dir: place.base, session_id: session, attachment_id, name: "big", bytes: endless() })).rejects.toMatchObject({ code: "too_large" });
  expect(given).toBeLessThanOrEqual(25 * 1024 * 1024 + 65_536);
  expect(await findAttachment(place.base, attachment_id)).toBeNull();
  expect((await store(session, "big")).name).toBe("big");
});

it("goes with its session, and takes nothing else along (B234)", async () => {
  const [mine, other] = [createId("ses"), createId("ses")];
  const stored = await store(mine, "a.txt", Buffer.from("a"));
  const kept = await store(other, "a.txt", Buffer.from("a"));
  await symlink(place.outside, path.join(path.dirname(stored.path), "keep"));
  await deleteSessionAttachments(place.base, mine);
  await deleteSessionAttachments(place.base, mine);
  expect(await findAttachment(place.base, stored.attachment_id)).toBeNull();
  expect(await findAttachment(place.base, kept.attachment_id)).toEqual(kept);
  expect(await readdir(place.outside)).toEqual(["secret.txt"]);
  expect(await findAttachment(place.base, "../names")).toBeNull();
});

it("believes bytes more than names", async () => {
  const text = (words: string) => Buffer.from(words);
  expect(await detectMediaType("photo.png", text("<script>"), true)).toBe("text/plain");
  expect(await detectMediaType("a.svg", text("<svg/>"), true)).toBe("image/svg+xml");
  expect(await detectMediaType("a.txt", PNG, true)).toBe("image/png");
  expect(await detectMediaType("a.html", text("<p>"), true)).toBe("text/html");
  expect(await detectMediaType("a", Buffer.from([0, 1, 2]), true)).toBe("application/octet-stream");
  expect(["image/png", "text/plain", "video/mp4"].every(isInert)).toBe(true);
  expect(["text/html", "image/svg+xml", "application/pdf", "application/octet-stream"].some(isInert)).toBe(false);
});
