/**
 * What a model is told, independent of any provider. The fold makes these from run views; the model
 * port turns them into a provider's own shape. Lists of them are always valid for strict providers:
 * after an optional system message user and assistant alternate, each tool call has exactly one
 * result right after it, and no message is empty.
 */
export interface ModelToolCall {
  /** Ours (`call_…`), never the provider's own id, which may repeat. */
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface ModelImage {
  readonly attachment_id: string;
  readonly name: string;
  readonly mime: string;
}

export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string; readonly images?: readonly ModelImage[] }
  | { readonly role: "assistant"; readonly content: string; readonly tool_calls?: readonly ModelToolCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly name: string; readonly content: string };
