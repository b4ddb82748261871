/** `memory`: short notes that outlive the session, kept in the profile. How they are kept is the port's matter. */
import { z } from "zod";
import { defineTool } from "./define-tool";
import type { Tool, ToolContext } from "./tool-port";

const input = z.object({
  action: z.enum(["add", "replace", "remove"]),
  target: z.enum(["memory", "user"]).describe("memory: facts about the work; user: about the person."),
  content: z.string().nullish().describe("The entry to add, or the new text of the replaced one."),
  match: z.string().nullish().describe("For replace and remove: a part of exactly one entry."),
});
type MemoryInput = z.infer<typeof input>;

export interface MemoryPort {
  /** `text`: what the model is told. `context.home` says whose memory it is. Never rejects for what can be expected. */
  apply(change: MemoryInput, context: ToolContext): Promise<{ readonly ok: boolean; readonly text: string }>;
}

export function createMemory(port: MemoryPort): Tool {
  return defineTool({
    name: "memory",
    description: "Adds, replaces or removes a note that is given to you in later sessions. Only for what stays true.",
    kind: "memory",
    input,
    title: ({ action, target }) => `${action} ${target === "user" ? "about you" : "memory"}`,
    async run(change, context) {
      const needs = { add: ["content"], replace: ["content", "match"], remove: ["match"] } as const;
      const missing = needs[change.action].filter((name) => (change[name] ?? "").trim() === "");
      if (missing.length > 0) return { status: "error", result: `${change.action} needs ${missing.join(" and ")}.` };
      const { ok, text } = await port.apply(change, context);
      return { status: ok ? "ok" : "error", result: text };
    },
  });
}
