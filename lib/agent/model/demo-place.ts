import type { ModelMessage } from "#protocol/model-message";

export interface DemoPlace {
  /** The message that is the script. */
  readonly script: string;
  /** How many steps of it were done: the number of the one to do now, from 0. */
  readonly step: number;
}

/**
 * Where the demo model stands in its script, read from the messages alone, so that a resumed run goes
 * on where it was. A turn begins after the last assistant message without calls (the answer that
 * ended the turn before). The script is the first user message of the turn: later ones came by steer
 * and change nothing. Each assistant message with calls after it is one step done.
 */
export function findDemoPlace(messages: readonly ModelMessage[]): DemoPlace {
  const border = messages.findLastIndex((message) => message.role === "assistant" && !hasCalls(message));
  const turn = messages.slice(border + 1);
  const first = turn.findIndex((message) => message.role === "user");
  const script = turn[first];
  return {
    script: script?.role === "user" ? script.content : "",
    step: turn.slice(first + 1).filter(hasCalls).length,
  };
}

function hasCalls(message: ModelMessage): boolean {
  return message.role === "assistant" && (message.tool_calls ?? []).length > 0;
}
