/** The same message sent to two owners at one moment, and sent again when everything in memory is gone. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestHost, type TestHost } from "#testing/test-host";

let folder = "";
const hosts: TestHost[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "message-once-"));
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.shut();
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<TestHost> {
  const host = await openTestHost({ folder });
  hosts.push(host);
  return host;
}

async function begin(host: TestHost, message: string): Promise<{ readonly run_id: string; readonly session_id: string }> {
  const started = await host.host.start({ message });
  if (!started.ok) throw new Error(started.error.message);
  return started.value;
}

async function count(host: TestHost, table: "runs" | "queue_items"): Promise<unknown> {
  return (await host.database.execute(`SELECT COUNT(*) AS count FROM ${table}`)).rows[0]?.["count"];
}

describe("a message that is sent twice", () => {
  it("to two owners of a busy or an idle session at one moment is taken once, and both tell the same", async () => {
    const [one, two] = [await open(), await open()];
    const { run_id, session_id } = await begin(one, "ask Go on? | yes");
    for (let round = 1; round <= 10; round += 1) {
      const asked = { message: `say Round ${round}.`, mode: "queue" as const, client_message_id: `m-${round}` };
      const [first, second] = await Promise.all([one.controls.queueMessage(session_id, asked), two.controls.queueMessage(session_id, asked)]);
      expect(first).toMatchObject({ ok: true, value: { accepted: true, status: "queued", started: null } });
      expect(second).toEqual(first);
      expect(await count(one, "queue_items")).toBe(round);
    }
    await one.host.cancel(run_id, "test");
    const { session_id: idle, run_id: before } = await begin(one, "say Hello.");
    await one.host.liveRun(before)?.finished;
    const asked = { message: "say At once.", mode: "queue" as const, client_message_id: "m-1" };
    const [first, second] = await Promise.all([one.controls.queueMessage(idle, asked), two.controls.queueMessage(idle, asked)]);
    expect(first).toMatchObject({ ok: true, value: { status: "started" } });
    expect(second).toEqual(first);
    expect(await count(one, "runs")).toBe(3);
  });

  it("is told as it was told first, by an owner that has never heard of it and after its turn began", async () => {
    const first = await open();
    const { run_id, session_id } = await begin(first, "say Hello.");
    await first.host.liveRun(run_id)?.finished;
    const asked = { message: "stream 20 10", mode: "queue" as const, client_message_id: "m-1" };
    const started = await first.controls.queueMessage(session_id, asked);
    const waits = { message: "say Later.", mode: "queue" as const, attachments: [], client_message_id: "m-2" };
    const queued = await first.controls.queueMessage(session_id, waits);
    expect([started, queued]).toMatchObject([{ value: { status: "started" } }, { value: { status: "queued" } }]);
    await expect.poll(() => count(first, "runs"), { timeout: 10_000 }).toBe(3);
    const second = await open();
    expect(await second.controls.queueMessage(session_id, { ...asked, attachments: null })).toEqual(started);
    expect(await second.controls.queueMessage(session_id, waits)).toEqual(queued);
    expect(await second.controls.queueMessage(session_id, { ...waits, mode: "steer" })).toMatchObject({ ok: false, error: { code: "idempotency_conflict" } });
    expect(await count(second, "runs")).toBe(3);
  });

  it("and was refused leaves no receipt: it may be sent again", async () => {
    const host = await open();
    const asked = { message: " ", mode: "queue" as const, client_message_id: "m-1" };
    const { session_id } = await begin(host, "ask Go on? | yes");
    expect(await host.controls.queueMessage(session_id, asked)).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    expect(await host.controls.queueMessage(session_id, { ...asked, message: "say Hello." })).toMatchObject({ ok: true });
  });
});
