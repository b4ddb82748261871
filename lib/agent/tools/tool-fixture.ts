/** What a run gives its tools, for tests: a workspace on disk, all updates kept, a signal to abort by. */
import { createIdFactory } from "#protocol/ids";
import { makeWorkspace, type WorkspaceFixture } from "#workspace/workspace-fixture";
import type { StopReport, ToolContext, ToolUpdate } from "./tool-port";

export interface ToolFixture extends WorkspaceFixture {
  readonly context: ToolContext;
  readonly updates: readonly ToolUpdate[];
  readonly stops: readonly StopReport[];
  /** All of one stream so far. */
  streamed(name: "stdout" | "stderr"): string;
  /** Resolves once `found` holds of what was streamed. */
  until(found: (stdout: string) => boolean): Promise<void>;
  abort(): void;
}

export async function makeToolFixture(more: Partial<ToolContext> = {}): Promise<ToolFixture> {
  const place = await makeWorkspace();
  const createId = createIdFactory();
  const stop = new AbortController();
  const updates: ToolUpdate[] = [];
  const stops: StopReport[] = [];
  const waiting = new Set<() => void>();
  const streamed = (name: "stdout" | "stderr") => updates.map((update) => update[name] ?? "").join("");
  const context: ToolContext = {
    workspace: place.workspace,
    attachments: [],
    home: place.base,
    mark: { run_id: createId("run"), session_id: createId("ses") },
    child_env: {},
    signal: stop.signal,
    update(piece) {
      updates.push(piece);
      for (const look of waiting) look();
    },
    drained: () => Promise.resolve(),
    reads: new Map(),
    keep_previous: () => Promise.resolve(),
    report_stop: (report) => void stops.push(report),
    ...more,
  };
  const until = (found: (stdout: string) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!found(streamed("stdout"))) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { ...place, context, updates, stops, streamed, until, abort: () => stop.abort() };
}
