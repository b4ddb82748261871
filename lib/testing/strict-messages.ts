/**
 * What the strictest providers check in the messages of a chat completion: a system message only
 * first, then user and assistant in turns, each tool call followed directly by exactly one result of
 * its id, no empty content, nothing after an assistant message but a user or tool message.
 */
import { z } from "zod";

const contentSchema = z.union([z.string(), z.array(z.unknown())]).nullish();
const messageSchema = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: contentSchema,
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.object({ id: z.string().min(1), type: z.literal("function"), function: z.object({ name: z.string().min(1), arguments: z.string() }) }))
    .min(1)
    .optional(),
});
const bodySchema = z.looseObject({ model: z.string().min(1), messages: z.array(messageSchema).min(1) });
type Message = z.infer<typeof messageSchema>;

/** The first fault, in words, or null when a strict provider takes the body. */
export function findStrictFault(body: unknown): string | null {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return `invalid body: ${z.prettifyError(parsed.error)}`;
  let before: Message | null = null;
  let open: string[] = [];
  for (const [at, message] of parsed.data.messages.entries()) {
    const fault = faultOf(message, before, open, at);
    if (fault !== null) return `messages[${at}]: ${fault}`;
    if (message.role === "assistant") open = (message.tool_calls ?? []).map((call) => call.id);
    if (message.role === "tool") open = open.filter((id) => id !== message.tool_call_id);
    before = message;
  }
  if (open.length > 0) return `no result for call ${open.join(", ")}`;
  return before?.role === "user" || before?.role === "tool" ? null : "the last message must be the user's or a result";
}

function faultOf(message: Message, before: Message | null, open: readonly string[], at: number): string | null {
  if (message.role === "tool") {
    if (!open.includes(message.tool_call_id ?? "")) return `no open call ${message.tool_call_id ?? "(without id)"}`;
    return isEmpty(message) ? "empty content" : null;
  }
  if (open.length > 0) return `no result for call ${open.join(", ")}`;
  if (message.role === "system") return at === 0 ? emptiness(message) : "a system message must come first";
  if (message.role === "user") return before?.role === "user" ? "two user messages in a row" : emptiness(message);
  if (before?.role === "assistant") return "two assistant messages in a row";
  if (before === null || before.role === "system") return "the first message must be the user's";
  return message.tool_calls === undefined ? emptiness(message) : repeatedIds(message.tool_calls.map((call) => call.id));
}

function emptiness(message: Message): string | null {
  return isEmpty(message) ? "empty content" : null;
}

function isEmpty(message: Message): boolean {
  const { content } = message;
  return content == null || (typeof content === "string" ? content.trim() === "" : content.length === 0);
}

function repeatedIds(ids: readonly string[]): string | null {
  return new Set(ids).size === ids.length ? null : "two calls with one id";
}
