/** The contract over a real runner app on a loopback port, by one object and by objects that live for one call. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestRunner, openWebReader, TEST_KEY, TEST_VERSION } from "#testing/test-runner";
import { createRunnerClient } from "./runner-client";
import { createRunnerRuntime } from "./runner-runtime";
import type { Runtime } from "./runtime-adapter";
import { describeRuntimeContract } from "./runtime-contract";

describeRuntimeContract("a runner", async () => {
  const { folder, runner, close } = await open();
  const reader = await openWebReader({ folder, url: runner.url });
  return {
    runtime: () => reader.runtime,
    journal: reader.journal,
    database: reader.database,
    drain: () => runner.open.host.drain(10_000),
    close: async () => {
      await reader.close();
      await close();
    },
  };
});

/**
 * Nothing of this backend outlives a call but the journal: whoever controls a run next is another
 * object, which has never heard of it.
 */
describeRuntimeContract("a backend that forgets everything but the journal", async () => {
  const { folder, runner, close } = await open();
  const { runtime, journal, database, close: closeReader } = await openWebReader({ folder, url: runner.url });
  const closings: Promise<void>[] = [];
  let last: Runtime = runtime;
  return {
    runtime: () => {
      closings.push(last.close());
      last = createRunnerRuntime({ client: createRunnerClient({ base_url: runner.url, api_key: TEST_KEY, version: TEST_VERSION }), journal, database, supervised: () => null });
      return last;
    },
    journal,
    database,
    drain: () => runner.open.host.drain(10_000),
    close: async () => {
      await last.close();
      await Promise.all(closings);
      await closeReader();
      await close();
    },
  };
});

async function open() {
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  const runner = await openTestRunner({ folder, env: { HERMES_MAX_CONCURRENT_RUNS: "2" } });
  const close = async (): Promise<void> => {
    await runner.close(200);
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, runner, close };
}
