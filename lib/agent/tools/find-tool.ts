/** A tool by the name that the model used, and the line that stands for a call of it. */
import type { Tool } from "./tool-port";

const TITLE_LIMIT_CHARACTERS = 2_000;

export function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}

/** The tool's own title where the arguments fit its schema, else its name: a title is never a reason to fail. */
export function toolTitle(tool: Tool | undefined, name: string, argumentsOf: Readonly<Record<string, unknown>> | null): string {
  const parsed = tool?.input.safeParse(argumentsOf);
  const title = tool !== undefined && parsed?.success === true ? tool.title(parsed.data) : name;
  return title.slice(0, TITLE_LIMIT_CHARACTERS) || name;
}
