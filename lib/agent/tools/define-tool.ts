/**
 * A tool with its own input type, made one of a list of tools. The list's element type knows nothing
 * of the input: `input.safeParse` answers `never`, which fits each tool's own `title` and `run`.
 */
import { z } from "zod";
import type { Tool } from "./tool-port";

export function defineTool<Input>(tool: Tool<Input>): Tool {
  return { ...tool, input: tool.input.pipe(z.custom<never>()) };
}

const TITLE_CHARACTERS = 2000;

/** Text for a title: one line, bounded. */
export function oneLine(text: string): string {
  const line = text.replace(/\s*[\r\n]+\s*/g, " ").trim();
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1)}…`;
}
