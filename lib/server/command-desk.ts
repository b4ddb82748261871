/** Slash commands as routes use them. */
import type { CommandTools } from "#commands/command";
import { listCommands } from "#commands/registry";
import { runCommand } from "#commands/run-command";

export type CommandDesk = ReturnType<typeof createCommandDesk>;

export function createCommandDesk(tools: CommandTools) {
  return {
    list: listCommands,
    run: (sessionId: string, text: string) => runCommand(tools, sessionId, text),
  };
}
