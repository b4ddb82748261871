/** Commands that begin, steer or end work. */
import type { QueueMode } from "#protocol/event-values";
import type { GoalAction, RunStartResult } from "#protocol/control";
import type { Command, CommandCall, CommandResult } from "./command";
import { granted, wrongArgument } from "./command-input";

export const retryCommand: Command = {
  name: "retry",
  aliases: [],
  args: "",
  description: "Try the last turn again",
  when: "idle",
  async run({ tools, session }) {
    const started = granted(await tools.runtime.controls.retry(session.session_id, null, null));
    return { message: "Trying the last turn again.", stream_id: started.stream_id };
  },
};

export const compressCommand: Command = {
  name: "compress",
  aliases: ["compact"],
  args: "[focus]",
  description: "Sum up the older turns to make room",
  when: "idle",
  async run({ tools, session, argument }) {
    const started = granted(await tools.runtime.controls.compress(session.session_id, argument === "" ? null : argument));
    return { message: "Summing up the older turns.", stream_id: started.stream_id };
  },
};

const GOAL_WORDS: ReadonlyMap<string, GoalAction> = new Map([
  ["", "status"],
  ["status", "status"],
  ["pause", "pause"],
  ["resume", "resume"],
  ["clear", "clear"],
  ["stop", "clear"],
  ["done", "clear"],
]);

export const goalCommand: Command = {
  name: "goal",
  aliases: [],
  args: "[text|edit text|pause|resume|clear]",
  description: "Set a goal that is worked on turn by turn, or tell how it stands",
  when: "always",
  async run({ tools, session, argument }) {
    const edit = /^edit\s+(\S[\s\S]*)$/i.exec(argument)?.[1];
    const named = edit === undefined ? GOAL_WORDS.get(argument.toLowerCase()) : "edit";
    const action = named ?? "set";
    const text = action === "set" ? argument : (edit ?? null);
    const { goal, message, started } = granted(await tools.runtime.adapter.updateGoal(session.session_id, action, text));
    return { message, data: { goal, action }, ...startedBy(started) };
  },
};

export const stopCommand: Command = {
  name: "stop",
  aliases: [],
  args: "",
  description: "Stop what is running",
  when: "always",
  async run({ tools, session }) {
    if (session.active_stream_id === null) return { message: "Nothing is running.", data: { cancelled: false } };
    const { accepted, status, safe_message } = granted(await tools.runtime.adapter.cancelRun(session.active_stream_id));
    const messages: Readonly<Record<string, string>> = { "not-active": "Nothing is running.", cancelling: "It is being stopped already." };
    return { message: accepted ? "Stopping." : (messages[status] ?? safe_message), data: { cancelled: accepted, status } };
  },
};

export const queueCommand = queueing("queue", "Send a message when this turn is over", "Queued.");
export const steerCommand = queueing("steer", "Tell something to the running turn", "It will be told with its next step.");
export const interruptCommand = queueing("interrupt", "Stop this turn and send a message at once", "Stopping this turn; your message comes next.");

function queueing(mode: QueueMode, description: string, taken: string): Command {
  return {
    name: mode,
    aliases: [],
    args: "message",
    description,
    when: "always",
    run: (call) => queueMessage(call, mode, taken),
  };
}

async function queueMessage({ tools, session, argument }: CommandCall, mode: QueueMode, taken: string): Promise<CommandResult> {
  if (argument === "") throw wrongArgument(`/${mode} takes a message.`);
  const { status, queue_id, started } = granted(await tools.runtime.adapter.queueMessage(session.session_id, { message: argument, mode }));
  return { message: status === "started" ? "Sent." : taken, data: { queue_id, status }, ...startedBy(started) };
}

function startedBy(started: RunStartResult | null): { readonly stream_id?: string } {
  return started === null ? {} : { stream_id: started.stream_id };
}
