import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestHost } from "#testing/test-host";
import { createInProcessRuntime } from "./in-process-runtime";
import { describeRuntimeContract } from "./runtime-contract";

describeRuntimeContract("in process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  const owner = await openTestHost({ folder, env: { HERMES_MAX_CONCURRENT_RUNS: "2" } });
  const runtime = createInProcessRuntime({ mode: "legacy-direct", open: owner, journal: owner.journal, database: owner.database, version: "0.0.0-test" });
  return {
    runtime: () => runtime,
    journal: owner.journal,
    database: owner.database,
    drain: () => owner.host.drain(10_000),
    close: async () => {
      await owner.shut();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
