/**
 * The one place where a tool is called and where what it throws is caught. The model always gets an
 * answer: for an unknown tool, for arguments that are no object or do not fit, for a failure, and for
 * a tool that does not end when it is told to. Never rejects.
 */
import { AppError } from "#protocol/errors";
import { excerptOf } from "./text-excerpt";
import type { Tool, ToolContext, ToolOutcome } from "./tool-port";

const RESULT_CHARACTERS = 100_000;
/** A tool has 10 s to end its processes after an abort; who takes longer is left behind. */
const ABORT_PATIENCE_MS = 12_000;

function failure(result: string): ToolOutcome {
  return { status: "error", result };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a throw means for the model. Only messages that are made to be shown are. */
function outcomeOfThrow(error: unknown, name: string, signal: AbortSignal): ToolOutcome {
  if (error instanceof AppError) return failure(`${error.code}: ${error.message}`);
  if (signal.aborted) return { status: "cancelled", result: "[stopped]" };
  return failure(`${name} failed unexpectedly. Try it differently or go on without it.`);
}

async function untilAbandoned(running: Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const abandoned = new Promise<ToolOutcome>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve({ status: "cancelled", result: "[stopped; it did not end in time]" }), ABORT_PATIENCE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([running, abandoned]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function bounded(outcome: ToolOutcome): ToolOutcome {
  if (outcome.result.length <= RESULT_CHARACTERS) return outcome;
  const cut = excerptOf(outcome.result, RESULT_CHARACTERS - 100, (shown, total) => `[result cut: ${shown} of ${total} characters shown]`);
  return { ...outcome, result: cut.text, truncated: outcome.truncated ?? { shown: cut.shown, total: cut.total } };
}

/** `tool`: undefined for a name that no tool has. `given`: arguments as the model wrote them, parsed as JSON. */
export async function runTool(tool: Tool | undefined, name: string, given: unknown, context: ToolContext): Promise<ToolOutcome> {
  if (tool === undefined) return failure(`There is no tool named ${name.slice(0, 100)}.`);
  if (!isObject(given)) return failure(`The arguments of ${name} must be one JSON object.`);
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
    return failure(`The arguments do not fit ${name}. ${issues.join("; ")}`);
  }
  try {
    return bounded(await untilAbandoned(tool.run(parsed.data, context), context.signal));
  } catch (error) {
    return outcomeOfThrow(error, name, context.signal);
  }
}
