/** The contract over a runner that is a process of its own, from its real entry; its drain is its signal. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunnerProcess } from "#testing/runner-process";
import { describeRuntimeContract } from "./runtime-contract";

describeRuntimeContract("a runner process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  const runner = await RunnerProcess.start(folder, { HERMES_MAX_CONCURRENT_RUNS: "2" });
  const reader = await runner.reader();
  return {
    runtime: () => reader.runtime,
    journal: reader.journal,
    database: reader.database,
    drain: async () => {
      runner.signal("SIGTERM");
      await runner.ended();
    },
    close: async () => {
      await reader.close();
      await runner.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
