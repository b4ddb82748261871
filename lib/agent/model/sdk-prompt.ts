/**
 * A `ModelRequest` as the prompt and tools of a library's language model. Results of one step stand
 * in one tool message. Types come from the library's own signature, so that a new version that
 * changes the shape fails the type check.
 */
import type { createAnthropic } from "@ai-sdk/anthropic";
import type { ModelMessage } from "#protocol/model-message";
import { loadImages, missingImageText } from "./load-images";
import type { LoadImage, ModelTool } from "./model-port";

export type LanguageModel = ReturnType<ReturnType<typeof createAnthropic>["languageModel"]>;
export type CallOptions = Parameters<LanguageModel["doStream"]>[0];
export type ProviderOptions = NonNullable<CallOptions["providerOptions"]>;
type Prompt = CallOptions["prompt"];
type PromptMessage = Prompt[number];
type UserContent = Extract<PromptMessage, { readonly role: "user" }>["content"];
type ToolContent = Extract<PromptMessage, { readonly role: "tool" }>["content"];
type SdkTool = Extract<NonNullable<CallOptions["tools"]>[number], { readonly type: "function" }>;

/** The messages in order; images are inlined. */
export async function sdkPrompt(messages: readonly ModelMessage[], load: LoadImage): Promise<Prompt> {
  const prompt: Prompt = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role !== "tool") prompt.push(await sdkMessage(message, load));
    else if (last?.role === "tool") last.content.push(toolResult(message));
    else prompt.push({ role: "tool", content: [toolResult(message)] });
  }
  return prompt;
}

/** The tools as functions; their schemas are handed on as they are. */
export function sdkTools(tools: readonly ModelTool[]): SdkTool[] {
  return tools.map((tool) => ({ type: "function", name: tool.name, description: tool.description, inputSchema: tool.parameters }));
}

async function sdkMessage(message: Exclude<ModelMessage, { readonly role: "tool" }>, load: LoadImage): Promise<PromptMessage> {
  if (message.role === "system") return { role: "system", content: message.content };
  if (message.role === "user") return { role: "user", content: await userContent(message, load) };
  const text = message.content === "" ? [] : [{ type: "text" as const, text: message.content }];
  const calls = (message.tool_calls ?? []).map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.name,
    input: call.arguments,
  }));
  return { role: "assistant", content: [...text, ...calls] };
}

async function userContent(message: Extract<ModelMessage, { readonly role: "user" }>, load: LoadImage): Promise<UserContent> {
  const loaded = await loadImages(message.images ?? [], load);
  const images = loaded.map((image): UserContent[number] =>
    image.bytes === null
      ? { type: "text", text: missingImageText(image) }
      : { type: "file", mediaType: image.mime, data: image.bytes, filename: image.name },
  );
  const text: UserContent = message.content === "" ? [] : [{ type: "text", text: message.content }];
  return [...text, ...images];
}

function toolResult(message: Extract<ModelMessage, { readonly role: "tool" }>): ToolContent[number] {
  return {
    type: "tool-result",
    toolCallId: message.tool_call_id,
    toolName: message.name,
    output: { type: "text", value: message.content || "(no output)" },
  };
}
