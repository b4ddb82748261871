/** The same start asked of two owners at one moment, and asked again when everything in memory is gone. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestHost, type TestHost } from "#testing/test-host";

let folder = "";
const hosts: TestHost[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "start-once-"));
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

describe("a start that is asked for twice", () => {
  it("of two owners at one moment happens once, and both tell the same", async () => {
    const [one, two] = [await open(), await open()];
    for (let round = 0; round < 20; round += 1) {
      const asked = { run_id: one.host.dependencies.create_id("run"), message: `say Round ${round}.` };
      const [first, second] = await Promise.all([one.host.start(asked), two.host.start(asked)]);
      expect(first).toMatchObject({ ok: true, value: { run_id: asked.run_id } });
      expect(second).toEqual(first);
      const { rows } = await one.database.execute("SELECT COUNT(*) AS runs FROM runs");
      expect(rows[0]?.["runs"]).toBe(round + 1);
    }
  });

  it("is told as it was told first, by an owner that has never heard of it", async () => {
    const first = await open();
    const asked = { run_id: "run_01HZZZZZZZZZZZZZZZZZZZZZZ2", message: "say Hello.", metadata: { deep: { b: 1, a: [1, 2] } } };
    const told = await first.host.start(asked);
    await first.host.liveRun(asked.run_id)?.finished;
    await first.database.execute("UPDATE sessions SET title = 'Renamed'");
    const second = await open();
    expect(await second.host.start({ ...asked, metadata: { deep: { a: [1, 2], b: 1 } }, provider: null })).toEqual(told);
    expect(await second.host.start({ ...asked, metadata: { deep: { a: [2, 1], b: 1 } } })).toMatchObject({ ok: false, error: { code: "idempotency_conflict" } });
  });

  it("that failed leaves no receipt: it may be asked for again", async () => {
    const host = await open();
    const session = await host.host.start({ message: "ask Go on? | yes" });
    const session_id = session.ok ? session.value.session_id : "";
    const asked = { run_id: "run_01HZZZZZZZZZZZZZZZZZZZZZZ3", message: "say Later.", session_id };
    expect(await host.host.start(asked)).toMatchObject({ ok: false, error: { code: "run_active" } });
    await host.host.cancel(session.ok ? session.value.run_id : "", "test");
    await host.host.liveRun(session.ok ? session.value.run_id : "")?.finished;
    expect(await host.host.start(asked)).toMatchObject({ ok: true, value: { run_id: asked.run_id } });
  });

  it("under an id that another run has is a conflict, whatever it asks for", async () => {
    const host = await open();
    const other = await host.host.start({ message: "say Mine." });
    expect(await host.host.start({ run_id: other.ok ? other.value.run_id : "", message: "say Mine." })).toMatchObject({ ok: false, error: { code: "idempotency_conflict" } });
  });
});
