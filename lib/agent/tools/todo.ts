/** `todo`: the whole plan, each time anew. The loop turns `data.items` into `todo.updated`. */
import { z } from "zod";
import type { TodoItem } from "#protocol/event-values";
import { defineTool } from "./define-tool";
import type { Tool, ToolOutcome } from "./tool-port";

const MAX_ITEMS = 256;
const MAX_TEXT = 4000;

const item = z.object({
  // Models number their items; an id is text all the same.
  id: z.preprocess((id) => (typeof id === "number" ? String(id) : id), z.string().min(1).max(100)),
  text: z.string().min(1).max(MAX_TEXT),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
});
const input = z.object({ items: z.array(item).max(MAX_ITEMS).describe("All items in their order; those left out are gone. One at most is in_progress.") });

function countLine(items: readonly TodoItem[]): string {
  const done = items.filter(({ status }) => status === "completed").length;
  return `${done} of ${items.length} done`;
}

function planOf(items: readonly TodoItem[]): ToolOutcome {
  const twice = items.find(({ id }, index) => items.findIndex((other) => other.id === id) !== index);
  if (twice !== undefined) return { status: "error", result: `Two items have the id ${twice.id}; each needs its own.` };
  const lines = items.map(({ id, text, status }) => `${id}. [${status}] ${text}`);
  return { status: "ok", result: [countLine(items), ...lines].join("\n"), data: { kind: "todo", items } };
}

export function createTodo(): Tool {
  return defineTool({
    name: "todo",
    description: "Sets the plan of this turn. Send all items each time; use it for work of three steps or more.",
    kind: "todo",
    input,
    title: ({ items }) => items.find(({ status }) => status === "in_progress")?.text ?? countLine(items),
    run: ({ items }) => Promise.resolve(planOf(items)),
  });
}
