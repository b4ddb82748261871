/**
 * The record of a step. Calls are judged on their originals first; then `tool.requested` and every
 * prompt of the step are emitted together, so that one commit holds both and no crash can leave a
 * dangerous call recorded without the question that must precede it.
 */
import type { ToolCall } from "#protocol/event-values";
import type { RunEventBody } from "#protocol/events";
import { escapeInvisible } from "./approval/visible";
import { judgeCall } from "./approval/policy";
import type { Judgement } from "./approval/policy";
import { parseClarify } from "./tools/clarify";
import { findTool, toolTitle } from "./tools/find-tool";
import type { RequestedCall } from "./model-step";
import type { RunContext } from "./run-context";

export async function requestCalls(context: RunContext, step: { readonly message_id: string; readonly calls: readonly RequestedCall[] }): Promise<void> {
  const calls: ToolCall[] = [];
  const prompts: RunEventBody[] = [];
  for (const requested of step.calls) {
    const call = describeCall(context, requested);
    calls.push(call);
    if (requested.arguments === null) continue;
    context.originals.set(call.tool_call_id, requested.arguments);
    const prompt = await promptFor(context, call, requested.arguments);
    if (prompt !== null) prompts.push(prompt);
  }
  if (context.signal.aborted) return;
  context.emit({ type: "tool.requested", payload: { message_id: step.message_id, calls } }, ...prompts);
}

function describeCall(context: RunContext, requested: RequestedCall): ToolCall {
  const tool = findTool(context.tools, requested.name);
  const invalid = requested.arguments === null ? `The arguments are not a JSON object: ${requested.raw.slice(0, 200)}` : undefined;
  return {
    tool_call_id: context.create_id("call"),
    name: requested.name,
    title: escapeInvisible(toolTitle(tool, requested.name, requested.arguments)),
    arguments: { ...requested.arguments },
    provider_call_id: requested.provider_call_id,
    ...(invalid === undefined ? {} : { invalid }),
  };
}

async function promptFor(context: RunContext, call: ToolCall, originals: Readonly<Record<string, unknown>>): Promise<RunEventBody | null> {
  if (call.name === "clarify") return clarifyPrompt(context, call, originals);
  const judgement = await judge(context, call.name, originals);
  return judgement.decision === "ask" ? approvalPrompt(context, call.tool_call_id, judgement) : null;
}

export async function judge(context: RunContext, name: string, originals: Readonly<Record<string, unknown>>): Promise<Judgement> {
  const state = await context.approvals();
  return judgeCall({
    tool: name,
    arguments: originals,
    workspace: context.request.workspace,
    home: context.home,
    mode: state.mode,
    yolo: state.yolo,
    session_allows: state.session_allows,
    allowlist: state.allowlist,
    asks: findTool(context.tools, name)?.asks === true,
  });
}

export function approvalPrompt(context: RunContext, toolCallId: string, judgement: Extract<Judgement, { decision: "ask" }>): RunEventBody {
  const timeout = context.limits.approval_timeout_s;
  return {
    type: "approval.requested",
    payload: {
      approval_id: context.create_id("apr"),
      tool_call_id: toolCallId,
      summary: judgement.summary,
      ...(judgement.command === null ? {} : { command: escapeInvisible(judgement.command) }),
      ...(judgement.cwd === null ? {} : { cwd: judgement.cwd }),
      risk: { level: judgement.risk.level, reasons: [...judgement.risk.reasons], pattern_keys: [...judgement.risk.pattern_keys] },
      choices: [...judgement.choices],
      expires_at: timeout === 0 ? null : context.now() + timeout,
    },
  };
}

function clarifyPrompt(context: RunContext, call: ToolCall, originals: Readonly<Record<string, unknown>>): RunEventBody | null {
  const parsed = parseClarify(originals);
  const first = parsed.ok ? parsed.questions[0] : undefined;
  if (!parsed.ok || first === undefined) return null;
  const timeout = context.limits.clarify_timeout_s;
  return {
    type: "clarify.requested",
    payload: {
      clarify_id: context.create_id("clr"),
      tool_call_id: call.tool_call_id,
      questions: [...parsed.questions],
      question: first.question,
      choices: [...first.choices],
      expires_at: timeout === 0 ? null : context.now() + timeout,
    },
  };
}
