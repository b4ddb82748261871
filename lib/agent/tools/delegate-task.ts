/** `delegate_task`: a part of the work as a run of its own, in a session of its own; its answer is the result. */
import { z } from "zod";
import { defineTool, oneLine } from "./define-tool";
import { excerptOf } from "./text-excerpt";
import type { Tool, ToolContext } from "./tool-port";

const input = z.object({
  goal: z.string().min(1).max(20_000).describe("What is to be done, complete in itself: the child knows nothing of this conversation."),
  context: z.string().max(100_000).nullish().describe("What it needs to know."),
});

interface DelegatedTask {
  readonly goal: string;
  readonly context: string | null;
}

export interface DelegatePort {
  /** Runs the child to its end; `context.signal` stops it. Never rejects for what can be expected. */
  delegate(task: DelegatedTask, context: ToolContext): Promise<{ readonly ok: boolean; readonly text: string; readonly session_id: string | null; readonly run_id: string | null }>;
}

const RESULT_CHARACTERS = 24_000;

export function createDelegateTask(port: DelegatePort): Tool {
  return defineTool({
    name: "delegate_task",
    description: "Hands a task to a child agent in the same workspace, and answers what it found or did.",
    kind: "delegate",
    input,
    title: ({ goal }) => oneLine(goal),
    async run({ goal, context: knowledge }, context) {
      const { ok, text, session_id, run_id } = await port.delegate({ goal, context: knowledge ?? null }, context);
      const status = context.signal.aborted ? "cancelled" : ok ? "ok" : "error";
      return { status, result: excerptOf(text, RESULT_CHARACTERS, (shown, total) => `[answer cut: ${shown} of ${total} characters shown]`).text, data: { kind: "delegate", session_id, run_id } };
    },
  });
}
