/** Runs what a person typed as a command. Nothing is ever sent to a model from here by mistake: what is no command is an error that says so. */
import { AppError } from "#protocol/errors";
import { readSummary } from "#sessions/session-summary";
import type { CommandResult, CommandTools } from "./command";
import { wrongArgument } from "./command-input";
import { nearestName } from "./nearest-name";
import { parseCommand } from "./parse-command";
import { BUSY_REASON, COMMANDS, findCommand } from "./registry";

/** Throws `session_not_found`, `invalid_request` (no command, an unknown one, a wrong argument), `run_active`, and what the action throws. */
export async function runCommand(tools: CommandTools, sessionId: string, text: string): Promise<CommandResult & { readonly name: string }> {
  const session = await readSummary(tools.room, sessionId);
  const parsed = parseCommand(text);
  if (parsed.kind === "text") throw wrongArgument("This is text, not a command: send it as a message. /help lists the commands.");
  const command = findCommand(parsed.word);
  if (command === null) throw unknownCommand(parsed.word);
  if (command.when === "idle" && session.active_stream_id !== null) {
    throw new AppError("run_active", BUSY_REASON, { active_stream_id: session.active_stream_id });
  }
  const result = await command.run({ tools, session, argument: parsed.argument });
  return { name: command.name, ...result };
}

function unknownCommand(word: string): AppError {
  const names = COMMANDS.flatMap((command) => [command.name, ...command.aliases]);
  const nearest = nearestName(word, names);
  const hint = nearest === null ? "/help lists what there is." : `Did you mean /${nearest}?`;
  return wrongArgument(`There is no command /${word}. ${hint}`);
}
