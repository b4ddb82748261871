/**
 * One model request of a run, from parts to events. Text and reasoning are emitted as they come, in
 * segments that end where the kind changes; calls are collected and handed back, so that the step is
 * recorded by one `tool.requested` or not at all: a call of a cut answer never runs.
 */
import type { RunFailureCode } from "#protocol/errors";
import { addUsage } from "./usage";
import type { ModelPart, ModelRequest } from "./model/model-port";
import type { ResolvedModel, RunContext } from "./run-context";

export type RequestedCall = Extract<ModelPart, { type: "tool-call" }>;

export type StepOutcome =
  | { readonly kind: "calls"; readonly message_id: string; readonly calls: readonly RequestedCall[] }
  | { readonly kind: "answer"; readonly finish: "stop" | "length" | "no_response" }
  | {
      readonly kind: "failed";
      readonly code: RunFailureCode;
      readonly message: string;
      readonly diagnostics: Readonly<Record<string, unknown>>;
      readonly retryable: boolean;
      /** Whether a token, reasoning or call had been shown: then the request is never repeated. */
      readonly shown: boolean;
    }
  | { readonly kind: "cancelled" };

type Segment = { readonly kind: "text" | "reasoning"; readonly id: string; text: string };

export async function runModelStep(context: RunContext, model: ResolvedModel, request: ModelRequest): Promise<StepOutcome> {
  const step = new StepEvents(context, model);
  for await (const part of model.port.stream(request, context.signal)) {
    const outcome = step.take(part);
    if (outcome !== null) return context.signal.aborted ? { kind: "cancelled" } : outcome;
    await context.drained();
  }
  // The port promises a finish or a failure; one that breaks the promise is a fault of ours, not of the model.
  return { kind: "failed", code: "internal", message: "The model stream ended without saying how.", diagnostics: {}, retryable: true, shown: true };
}

class StepEvents {
  private readonly messageId: string;
  private readonly calls: RequestedCall[] = [];
  private segment: Segment | null = null;
  private shown = { text: false, reasoning: false };

  constructor(
    private readonly context: RunContext,
    private readonly model: ResolvedModel,
  ) {
    this.messageId = context.create_id("msg");
  }

  /** Null while the stream goes on. */
  take(part: ModelPart): StepOutcome | null {
    switch (part.type) {
      case "text":
        this.say("text", part.text, part.segment === true);
        return null;
      case "reasoning":
        this.say("reasoning", part.text, false);
        return null;
      case "tool-call":
        this.closeSegment();
        this.calls.push(part);
        return null;
      case "usage":
        this.context.emit({ type: "usage.updated", payload: this.usage(part) });
        return null;
      case "warning":
        this.context.emit({ type: "progress", payload: { kind: "warning", text: part.text } });
        return null;
      case "retry":
        this.context.emit({ type: "progress", payload: { kind: "retry", text: retryText(part), code: part.code, wait_ms: part.wait_ms, attempt: part.attempt } });
        return null;
      case "finish":
        this.closeSegment();
        return this.finish(part.reason);
      case "failure":
        this.closeSegment();
        if (part.aborted) return { kind: "cancelled" };
        return { kind: "failed", code: part.code, message: part.message, diagnostics: part.diagnostics, retryable: part.retryable, shown: this.anythingShown() };
    }
  }

  private say(kind: Segment["kind"], text: string, opensSegment: boolean): void {
    if (text === "") return;
    if (this.segment !== null && (this.segment.kind !== kind || opensSegment)) this.closeSegment();
    this.segment ??= { kind, id: this.context.create_id("seg"), text: "" };
    this.shown[kind] = true;
    if (kind === "text") {
      this.context.emit({
        type: "token.delta",
        payload: { message_id: this.messageId, segment_id: this.segment.id, delta: text, content_type: "text/markdown" },
      });
      return;
    }
    this.segment.text += text;
    this.context.emit({ type: "reasoning.delta", payload: { segment_id: this.segment.id, delta: text, visibility: "summary", message_id: this.messageId } });
  }

  private closeSegment(): void {
    const segment = this.segment;
    this.segment = null;
    if (segment?.kind !== "reasoning") return;
    this.context.emit({ type: "reasoning.done", payload: { segment_id: segment.id, text: segment.text, visibility: "summary" } });
  }

  private finish(reason: "stop" | "tool_calls" | "length"): StepOutcome {
    if (this.calls.length > 0) return { kind: "calls", message_id: this.messageId, calls: this.calls };
    if (reason === "length") return { kind: "answer", finish: "length" };
    return { kind: "answer", finish: this.shown.text || !this.shown.reasoning ? "stop" : "no_response" };
  }

  private anythingShown(): boolean {
    return this.shown.text || this.shown.reasoning || this.calls.length > 0;
  }

  private usage(part: Extract<ModelPart, { type: "usage" }>) {
    const { context, model } = this;
    const view = context.view();
    return addUsage(view.usage, part.usage, {
      provider: context.request.provider,
      model: context.request.model,
      duration_ms: Math.max(0, Math.round((context.now() - view.started_at) * 1000)),
      context_window: model.context_window,
    });
  }
}

function retryText(part: Extract<ModelPart, { type: "retry" }>): string {
  const ordinal = part.attempt <= 2 ? "Second" : "Third";
  return `${RETRY_REASON[part.code] ?? "The model server did not answer."} ${ordinal} try in ${Math.max(1, Math.round(part.wait_ms / 1000))} s.`;
}

const RETRY_REASON: Readonly<Partial<Record<RunFailureCode, string>>> = {
  provider_overloaded: "The model was busy.",
  provider_rate_limited: "The model was busy.",
  provider_empty: "The model sent nothing.",
};
