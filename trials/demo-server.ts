/**
 * The practice model behind HTTP, as an OpenAI-compatible server: the same scripts as the built-in
 * one, but over a real socket, and every request is held to what strict providers take. So a trial
 * also proves that the history of an interrupted run is a valid request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { createDemoPort } from "#agent/model/demo-port";
import type { ModelPart } from "#agent/model/model-port";
import type { ModelMessage } from "#protocol/model-message";
import { findStrictFault } from "#testing/strict-messages";

export interface DemoServer {
  /** Ends in `/v1`. */
  readonly url: string;
  /** What strict providers would have refused. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

const callSchema = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const wireSchema = z.object({
  messages: z.array(
    z.object({
      role: z.enum(["system", "user", "assistant", "tool"]),
      content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
      tool_calls: z.array(callSchema).nullish(),
      tool_call_id: z.string().nullish(),
    }),
  ),
});
const addressSchema = z.object({ port: z.number() });
const argumentsSchema = z.record(z.string(), z.unknown());

export async function startDemoServer(): Promise<DemoServer> {
  const faults: string[] = [];
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing, faults));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${addressSchema.parse(server.address()).port}/v1`,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, faults: string[]): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  if (incoming.method !== "POST") return void outgoing.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"practice"}]}');
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const fault = findStrictFault(body);
  if (fault !== null) {
    faults.push(fault);
    return void outgoing.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: fault } }));
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  outgoing.socket?.setNoDelay(true);
  const request = { model: "practice", messages: toMessages(wireSchema.parse(body).messages), tools: [], reasoning: null, max_output_tokens: null };
  let calls = 0;
  for await (const part of createDemoPort().stream(request, gone.signal)) {
    if (gone.signal.aborted) return;
    outgoing.write(frameOf(part, calls));
    if (part.type === "tool-call") calls += 1;
  }
  outgoing.end("data: [DONE]\n\n");
}

function toMessages(wire: z.infer<typeof wireSchema>["messages"]): readonly ModelMessage[] {
  return wire.map(({ role, content, tool_calls, tool_call_id }): ModelMessage => {
    const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
    if (role === "tool") return { role, content: text, tool_call_id: tool_call_id ?? "", name: "" };
    if (role !== "assistant") return { role, content: text };
    const calls = (tool_calls ?? []).map((call) => ({ id: call.id, name: call.function.name, arguments: argumentsSchema.parse(JSON.parse(call.function.arguments)) }));
    return { role, content: text, tool_calls: calls };
  });
}

function frameOf(part: ModelPart, call: number): string {
  if (part.type === "text") return chunk({ content: part.text });
  if (part.type === "reasoning") return chunk({ reasoning_content: part.text });
  if (part.type === "tool-call") {
    const id = part.provider_call_id ?? `call-${call}`;
    return chunk({ tool_calls: [{ index: call, id, type: "function", function: { name: part.name, arguments: part.raw } }] });
  }
  return part.type === "finish" ? chunk({}, part.reason) : "";
}

function chunk(delta: Readonly<Record<string, unknown>>, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: "demo", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}
