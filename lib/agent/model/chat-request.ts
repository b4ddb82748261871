/**
 * A `ModelRequest` as the body of a chat completion, in the form that the strictest servers take:
 * alternating roles as the fold gives them, each call followed by its result under the same id (ours:
 * a provider's own id may repeat or be missing), no empty content, no field that was not asked for.
 */
import type { ModelMessage } from "#protocol/model-message";
import { loadImages, missingImageText } from "./load-images";
import type { LoadImage, ModelRequest } from "./model-port";

/** `effort`: OpenAI's `reasoning_effort`. `object`: OpenRouter's `reasoning: { effort }`. */
export type ReasoningStyle = "effort" | "object";

/** The JSON body; images are inlined as data URLs. */
export async function chatRequestBody(request: ModelRequest, style: ReasoningStyle, load: LoadImage): Promise<string> {
  const tools = request.tools.map((tool) => ({
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: tool.parameters },
  }));
  return JSON.stringify({
    model: request.model,
    messages: await Promise.all(request.messages.map((message) => chatMessage(message, load))),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 ? { tools } : {}),
    ...(request.max_output_tokens === null ? {} : { max_tokens: request.max_output_tokens }),
    ...reasoningFields(request.reasoning, style),
  });
}

function reasoningFields(level: string | null, style: ReasoningStyle): Readonly<Record<string, unknown>> {
  if (level === null) return {};
  return style === "object" ? { reasoning: { effort: level } } : { reasoning_effort: level };
}

async function chatMessage(message: ModelMessage, load: LoadImage): Promise<unknown> {
  if (message.role === "system") return { role: "system", content: message.content };
  if (message.role === "tool") return { role: "tool", tool_call_id: message.tool_call_id, content: message.content || "(no output)" };
  if (message.role === "user") return { role: "user", content: await userContent(message.content, message.images ?? [], load) };
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  return { role: "assistant", content: message.content || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

async function userContent(text: string, images: Parameters<typeof loadImages>[0], load: LoadImage): Promise<unknown> {
  if (images.length === 0) return text;
  const loaded = await loadImages(images, load);
  const parts = loaded.map((image) =>
    image.bytes === null
      ? { type: "text", text: missingImageText(image) }
      : { type: "image_url", image_url: { url: `data:${image.mime};base64,${Buffer.from(image.bytes).toString("base64")}` } },
  );
  return text === "" ? parts : [{ type: "text", text }, ...parts];
}
