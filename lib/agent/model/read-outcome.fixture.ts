import type { ModelPart, ModelPort, ModelRequest, ModelUsage } from "./model-port";

/** What a stream came to, in the words of the samples. */
export interface Outcome {
  readonly outcome: string;
  readonly text: string;
  readonly reasoning: string;
  readonly tools: readonly (readonly [string, string])[];
  readonly usage: ModelUsage | null;
  readonly warnings: number;
  readonly parts: readonly ModelPart[];
}

export function readOutcome(parts: readonly ModelPart[]): Outcome {
  const last = parts.at(-1);
  const joined = (type: "text" | "reasoning"): string => parts.map((part) => (part.type === type ? part.text : "")).join("");
  return {
    outcome: last?.type === "failure" ? `failed:${last.code}` : last?.type === "finish" ? "completed" : "unended",
    text: joined("text"),
    reasoning: joined("reasoning"),
    tools: parts.flatMap((part) => (part.type === "tool-call" ? [[part.name, JSON.stringify(part.arguments)] as const] : [])),
    usage: parts.flatMap((part) => (part.type === "usage" ? [part.usage] : [])).at(-1) ?? null,
    warnings: parts.filter((part) => part.type === "warning").length,
    parts,
  };
}

export async function collectOutcome(port: ModelPort, request: ModelRequest, signal: AbortSignal = new AbortController().signal): Promise<Outcome> {
  const parts: ModelPart[] = [];
  for await (const part of port.stream(request, signal)) parts.push(part);
  return readOutcome(parts);
}

/** A request that asks `text` with the tools of the samples. */
export function askFor(text: string, changes: Partial<ModelRequest> = {}): ModelRequest {
  const tools = ["read_file", "write_file", "list_workspace"].map((name) => ({ name, description: name, parameters: { type: "object" } }));
  return { model: "test-model", messages: [{ role: "user", content: text }], tools, reasoning: null, max_output_tokens: null, ...changes };
}
