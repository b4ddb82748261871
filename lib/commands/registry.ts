/** All slash commands (contract 5.7), in the order in which help lists them. The browser offers what stands here. */
import type { Command } from "./command";
import { compressCommand, goalCommand, interruptCommand, queueCommand, retryCommand, steerCommand, stopCommand } from "./run-commands";
import { branchCommand, clearCommand, exportCommand, newCommand, titleCommand, undoCommand } from "./session-commands";
import { modelCommand, profileCommand, reasoningCommand, workspaceCommand, yoloCommand } from "./setting-commands";
import { statusCommand, usageCommand } from "./telling-commands";

export interface ListedCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly args: string;
  readonly description: string;
  readonly available: boolean;
  readonly reason?: string;
}

const helpCommand: Command = {
  name: "help",
  aliases: [],
  args: "",
  description: "List the commands",
  when: "always",
  run({ session }) {
    const commands = listCommands(session.active_stream_id !== null);
    const lines = commands.map(({ name, args, description }) => `/${name}${args === "" ? "" : ` ${args}`}: ${description}`);
    return Promise.resolve({ message: lines.join("\n"), data: { commands } });
  },
};

export const COMMANDS: readonly Command[] = [
  helpCommand,
  newCommand,
  clearCommand,
  retryCommand,
  undoCommand,
  branchCommand,
  compressCommand,
  titleCommand,
  modelCommand,
  profileCommand,
  workspaceCommand,
  goalCommand,
  queueCommand,
  steerCommand,
  interruptCommand,
  stopCommand,
  statusCommand,
  usageCommand,
  yoloCommand,
  reasoningCommand,
  exportCommand,
];

export const BUSY_REASON = "This session is at work. Wait for it, or /stop it first.";

/** `busy`: a run of the session that they are listed for is active. */
export function listCommands(busy: boolean): readonly ListedCommand[] {
  return COMMANDS.map(({ name, aliases, args, description, when }) => {
    const available = when === "always" || !busy;
    return { name, aliases, args, description, available, ...(available ? {} : { reason: BUSY_REASON }) };
  });
}

export function findCommand(word: string): Command | null {
  return COMMANDS.find((command) => command.name === word || command.aliases.includes(word)) ?? null;
}
