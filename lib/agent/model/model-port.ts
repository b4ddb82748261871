/**
 * The port between the agent loop and any model. A stream of parts that never throws and always
 * ends in exactly one `finish` or one `failure`; nothing comes after it. Closing the iterator or
 * aborting the signal closes the provider's connection at once; an aborted stream ends in
 * `failure` with code `provider_incomplete` and `aborted: true`.
 */
import type { ModelFailureCode } from "#protocol/errors";
import type { ModelMessage } from "#protocol/model-message";

/** A tool as the model sees it: JSON Schema (draft 2020-12, type object) of its arguments. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** The model's id exactly as the provider knows it; never split or rewritten. */
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** `none minimal low medium high` or null for the provider's default. */
  readonly reasoning: string | null;
  /** Upper bound of output tokens; null for the provider's default. */
  readonly max_output_tokens: number | null;
}

/** Token counts of ONE model request; what the provider did not say is null, never 0. */
export interface ModelUsage {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly cache_write_tokens: number | null;
}

export type ModelPart =
  /** `segment` true: this text begins a segment of its own although text came right before it. */
  | { readonly type: "text"; readonly text: string; readonly segment?: boolean }
  | { readonly type: "reasoning"; readonly text: string }
  /** A whole call, arguments as the model wrote them; `arguments` null when they are no JSON object (`raw` has the text). */
  | {
      readonly type: "tool-call";
      readonly provider_call_id: string | null;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>> | null;
      readonly raw: string;
    }
  | { readonly type: "usage"; readonly usage: ModelUsage }
  /** Something odd that a person may want to know, e.g. one unreadable frame between good ones. */
  | { readonly type: "warning"; readonly text: string }
  /** The request failed before anything was shown and is sent again after `wait_ms`. */
  | { readonly type: "retry"; readonly attempt: number; readonly wait_ms: number; readonly code: ModelFailureCode }
  | { readonly type: "finish"; readonly reason: "stop" | "tool_calls" | "length" }
  | {
      readonly type: "failure";
      readonly code: ModelFailureCode;
      /** Safe to show, in the provider's words where it gave any (already without keys and URLs with credentials). */
      readonly message: string;
      readonly diagnostics: Readonly<Record<string, unknown>>;
      readonly retryable: boolean;
      readonly aborted: boolean;
      /** Seconds that the provider asked to wait (Retry-After), else null. */
      readonly retry_after_s: number | null;
    };

export interface ModelPort {
  /** Shown to people, e.g. "demo", "openai-compatible". */
  readonly provider: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Bytes of an attachment that a message names, or null when it is gone. */
export type LoadImage = (attachmentId: string) => Promise<Uint8Array | null>;
