/** Commands that only tell something. */
import type { SessionSummary } from "#protocol/session-shapes";
import { listQueue } from "#sessions/queue-list";
import type { Command } from "./command";

const STATUS_WORDS: Readonly<Record<SessionSummary["status"], string>> = {
  idle: "Nothing is running",
  queued: "A run waits for a free place",
  running: "A run is at work",
  awaiting_approval: "A run waits for your approval",
  awaiting_clarify: "A run waits for your answer",
  paused: "A run is paused",
  cancelling: "A run is being stopped",
  completed: "The run is done",
  cancelled: "The run was stopped",
  failed: "The run failed",
  expired: "The run expired",
};

export const statusCommand: Command = {
  name: "status",
  aliases: [],
  args: "",
  description: "Tell what this session is doing",
  when: "always",
  async run({ tools, session }) {
    const queued = (await listQueue(tools.room, session.session_id)).length;
    const { status, active_stream_id, profile, workspace, provider, model } = session;
    const waiting = queued === 0 ? "" : ` ${queued === 1 ? "One message waits" : `${queued} messages wait`}.`;
    return {
      message: `${STATUS_WORDS[status]}. Profile ${profile}, folder ${workspace}.${waiting}`,
      data: { status, active_stream_id, queued, profile, workspace, provider, model },
    };
  },
};

export const usageCommand: Command = {
  name: "usage",
  aliases: ["cost"],
  args: "",
  description: "Tell what this session has used",
  when: "always",
  run({ session: { usage } }) {
    const tokens = (count: number | null): string => (count === null ? "an unknown number of" : count.toLocaleString("en"));
    const cost = usage.cost_usd === null ? "" : ` Cost: $${usage.cost_usd.toFixed(4)}.`;
    const message = `${tokens(usage.input_tokens)} tokens in, ${tokens(usage.output_tokens)} out.${cost}`;
    return Promise.resolve({ message: message.charAt(0).toUpperCase() + message.slice(1), data: { usage } });
  },
};
