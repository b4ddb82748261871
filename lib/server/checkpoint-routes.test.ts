import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GET as diff } from "../../app/api/files/diff/route";
import { DELETE as removeSession } from "../../app/api/sessions/[id]/route";
import { openRouteHarness, type RouteHarness } from "#testing/route-harness";
import { until } from "#testing/until";

let harness: RouteHarness;
beforeAll(async () => {
  harness = await openRouteHarness();
});
afterAll(() => harness.close());

test("the diff of a session shows what its run did to a workspace without git, and goes with the session", async () => {
  const { session_id: session, workspace } = await harness.server.sessions.create({ title: "Kites" });
  const query = { path: `/?session_id=${session}` };
  expect((await harness.call(diff, query)).json).toEqual({ kind: "none", diff: "", files: [], truncated: false });
  writeFileSync(join(workspace, "kite.txt"), "red\n");
  const started = await harness.host.host.start({ session_id: session, message: "write kite.txt: blue\nwrite new.txt: tail" });
  const runId = started.ok ? started.value.run_id : "";
  await until(async () => (await harness.host.journal.readView(runId))?.terminal_state === "completed");
  expect((await harness.call(diff, query)).json).toMatchObject({
    kind: "checkpoint",
    diff: expect.stringContaining("--- a/kite.txt\n+++ b/kite.txt\n@@ -1,1 +1,1 @@\n-red\n+blue"),
    files: [{ path: "kite.txt", kind: "changed" }, { path: "new.txt", kind: "created" }],
  });
  const kept = join(harness.folder, "checkpoints", session);
  expect(existsSync(kept)).toBe(true);
  expect((await harness.call(removeSession, { method: "DELETE", params: { id: session } })).status).toBe(200);
  expect(existsSync(kept)).toBe(false);
});
