import type { ModelMessage } from "#protocol/model-message";

/** What a strict provider would refuse; empty when the list is valid. */
export function checkModelMessages(messages: readonly ModelMessage[]): readonly string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  let spoken: "user" | "assistant" | null = null;
  let owed: readonly string[] = [];
  messages.forEach((message, index) => {
    if (message.role === "system") {
      if (index !== 0) problems.push(`${index}: a system message inside`);
    } else if (message.role === "tool") {
      const [next, ...rest] = owed;
      if (next !== message.tool_call_id) problems.push(`${index}: result without its call`);
      owed = rest;
    } else {
      if (owed.length > 0) problems.push(`${index}: calls without result`);
      const afterResults = messages[index - 1]?.role === "tool";
      if (message.role === spoken && !(message.role === "assistant" && afterResults)) problems.push(`${index}: ${message.role} twice`);
      if (spoken === null && message.role !== "user") problems.push(`${index}: does not begin with the user`);
      spoken = message.role;
      if (message.role === "assistant") owed = (message.tool_calls ?? []).map((call) => call.id);
      for (const id of owed) {
        if (ids.has(id)) problems.push(`${index}: call id twice`);
        ids.add(id);
      }
    }
    const carriesCalls = message.role === "assistant" && message.tool_calls !== undefined && message.tool_calls.length > 0;
    if (message.content.trim() === "" && !carriesCalls) problems.push(`${index}: empty`);
  });
  if (owed.length > 0) problems.push("end: calls without result");
  return problems;
}
