/**
 * One call of the open step, from its turn to its `tool.done`. What runs is what was shown: the
 * originals are judged once more right before they run, because a person may have changed what is
 * allowed, and an approval counts only for the call that it names.
 */
import type { PartOf } from "#protocol/run-view";
import { z } from "zod";
import { todoItemSchema } from "#protocol/event-values";
import type { RunEventBody } from "#protocol/events";
import { runTool } from "./tools/run-tool";
import { findTool } from "./tools/find-tool";
import type { ToolOutcome } from "./tools/tool-port";
import { approvalPrompt, judge } from "./request-calls";
import { createUpdateLimiter } from "./update-limiter";
import { INTERRUPTED } from "./run-context";
import type { RunContext } from "./run-context";

const todoDataSchema = z.object({ items: z.array(todoItemSchema) });

type ToolPart = PartOf<"tool">;
const STARTED_ARGUMENTS_LIMIT_BYTES = 4_096;

const DENIED_RESULT =
  "BLOCKED: the person did not allow this. Do not retry it, do not rephrase it and do not reach the same end another way. Go on without it or ask what to do.";
const EXPIRED_RESULT =
  "BLOCKED: nobody answered in time, and silence is not consent. Do not retry it and do not reach the same end another way.";

/** Null, or why the run cannot go on after a restart: the call's originals are gone with their owner. */
export async function runCall(context: RunContext, call: ToolPart, approval: PartOf<"approval"> | null): Promise<string | null> {
  if (call.invalid !== null) return finish(context, call, { status: "error", result: call.invalid });
  if (approval !== null && approval.status !== "approved") {
    return finish(context, call, { status: "denied", result: approval.status === "expired" ? EXPIRED_RESULT : DENIED_RESULT });
  }
  const originals = context.originals.get(call.tool_call_id) ?? (call.redacted ? undefined : call.arguments);
  if (originals === undefined) {
    finish(context, call, { status: "interrupted", result: "The secret in this call was held in memory only and is gone after the restart." });
    return "A call held a secret that is gone after the restart.";
  }
  const judgement = await judge(context, call.name, originals);
  if (judgement.decision === "refuse") {
    return finish(context, call, { status: "denied", result: `BLOCKED: ${judgement.reason} This is refused in every mode. Do not retry it.` });
  }
  if (judgement.decision === "ask" && approval === null) {
    context.emit(approvalPrompt(context, call.tool_call_id, judgement));
    return null;
  }
  await execute(context, call, originals);
  return null;
}

/** A clarify call ends with the person's words, or with the advice to go on without them. */
export function answerCall(context: RunContext, call: ToolPart, clarify: PartOf<"clarify">): void {
  const responses = clarify.questions.map((question) => ({
    id: question.id,
    question: question.question,
    ...(question.choices.length > 0 ? { choices_offered: question.choices } : {}),
    user_response: clarify.answers[question.id] ?? null,
  }));
  const expired = clarify.status !== "answered";
  emitStarted(context, call);
  const advice = "Nobody answered in time. Use your best judgement and go on.";
  finish(context, call, { status: "ok", result: JSON.stringify(expired ? { responses, timed_out: true, advice } : { responses }) });
}

async function execute(context: RunContext, call: ToolPart, originals: Readonly<Record<string, unknown>>): Promise<void> {
  const startedAt = context.now();
  const tool = findTool(context.tools, call.name);
  // An unknown tool, or arguments that do not fit, are answered without anything having begun.
  if (tool?.input.safeParse(originals).success === true) emitStarted(context, call);
  const limiter = createUpdateLimiter(context, call.tool_call_id);
  const outcome = await runTool(tool, call.name, originals, {
    workspace: context.request.workspace,
    attachments: context.attachments,
    home: context.home,
    mark: { run_id: context.run_id, session_id: context.request.session_id },
    child_env: context.child_env,
    signal: context.signal,
    update: limiter.update,
    drained: context.drained,
    reads: context.reads,
    keep_previous: context.keep_previous,
    report_stop: context.report_stop,
  });
  const cutOff = outcome.status === "cancelled" && context.signal.reason === INTERRUPTED;
  finish(context, call, cutOff ? { ...outcome, status: "interrupted" } : outcome, startedAt);
}

function emitStarted(context: RunContext, call: ToolPart): void {
  const fits = Buffer.byteLength(JSON.stringify(call.arguments)) <= STARTED_ARGUMENTS_LIMIT_BYTES;
  context.emit({
    type: "tool.started",
    payload: {
      tool_call_id: call.tool_call_id,
      name: call.name,
      title: call.title,
      arguments: fits ? call.arguments : null,
      message_id: call.message_id,
    },
  });
}

function finish(context: RunContext, call: ToolPart, outcome: ToolOutcome, startedAt: number | null = null): null {
  const bodies: RunEventBody[] = [];
  const items = call.name === "todo" && outcome.status === "ok" ? todoItems(outcome.data) : null;
  if (items !== null) bodies.push({ type: "todo.updated", payload: { items } });
  bodies.push({
    type: "tool.done",
    payload: {
      tool_call_id: call.tool_call_id,
      result: outcome.result,
      status: outcome.status,
      duration_ms: startedAt === null ? 0 : Math.max(0, Math.round((context.now() - startedAt) * 1000)),
      is_error: outcome.status !== "ok",
      ...(outcome.exit_code === undefined ? {} : { exit_code: outcome.exit_code }),
      ...(outcome.truncated === undefined ? {} : { truncated: { ...outcome.truncated } }),
      ...(outcome.files === undefined ? {} : { files: outcome.files.map((file) => ({ ...file })) }),
      ...(outcome.data === undefined ? {} : { data: outcome.data }),
    },
  });
  context.emit(...bodies);
  context.originals.delete(call.tool_call_id);
  return null;
}

function todoItems(data: unknown) {
  const parsed = todoDataSchema.safeParse(data);
  return parsed.success ? parsed.data.items : null;
}
