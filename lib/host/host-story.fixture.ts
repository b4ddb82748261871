/** What the stories of one host share: a host on a folder of its own, and short ways to start, look and wait. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunEvent } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { openTestHost } from "#testing/test-host";
import type { TestHost, TestHostOptions } from "#testing/test-host";
import { until } from "#testing/until";

export interface HostStory {
  readonly folder: string;
  readonly host: TestHost;
  start(message: string, sessionId?: string | null): Promise<{ readonly run_id: string; readonly session_id: string }>;
  view(runId: string): Promise<RunView>;
  ended(runId: string): Promise<RunView>;
  /** The run's events, checked: numbered without gap, one ending, each call with its one end. */
  lawful(runId: string): Promise<readonly RunEvent[]>;
  runsOf(sessionId: string): Promise<readonly RunView[]>;
  close(): Promise<void>;
}

export async function openStory(options: Omit<TestHostOptions, "folder"> = {}): Promise<HostStory> {
  const folder = await mkdtemp(join(tmpdir(), "host-"));
  const host = await openTestHost({ folder, ...options });
  const view = async (runId: string): Promise<RunView> => {
    const found = await host.journal.readView(runId);
    if (found === null) throw new Error("There is no such run.");
    return found;
  };
  return {
    folder,
    host,
    view,
    start: async (message, sessionId = null) => {
      const started = await host.host.start({ session_id: sessionId, message });
      if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
      return started.value;
    },
    ended: async (runId) => {
      await until(async () => (await view(runId)).terminal_state !== null, 15_000);
      return view(runId);
    },
    lawful: async (runId) => {
      const events = await host.journal.readRunEvents(runId, 0, 100_000);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.filter((event) => event.terminal)).toHaveLength(1);
      expect(events.at(-1)?.terminal).toBe(true);
      const requested = events.flatMap((event) => (event.type === "tool.requested" ? event.payload.calls.map((call) => call.tool_call_id) : []));
      const done = events.flatMap((event) => (event.type === "tool.done" ? [event.payload.tool_call_id] : []));
      expect([...done].sort()).toEqual([...requested].sort());
      return events;
    },
    runsOf: (sessionId) => host.host.rows.views(sessionId, null),
    close: async () => {
      await host.shut();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function texts(found: RunView): readonly string[] {
  return found.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
}
