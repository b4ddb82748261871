/**
 * Model messages as they are collected: neighbours of one role become one, parted by an empty line,
 * and nothing empty gets in. The list begins with the person, whatever is added first.
 */
import type { ModelImage, ModelMessage } from "#protocol/model-message";

const BEGINNING = "[The conversation begins here.]";
const SUMMARY_READ = "[The summary is read. The conversation goes on after it.]";

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => !isBlank(block)).join("\n\n");
}

export class MessageList {
  readonly #messages: ModelMessage[] = [];
  #summaryIsLast = false;

  addSystem(content: string): void {
    if (!isBlank(content)) this.#messages.push({ role: "system", content });
  }

  addUser(content: string, images: readonly ModelImage[] = []): void {
    if (isBlank(content)) return;
    if (this.#summaryIsLast) this.addStep(SUMMARY_READ, []);
    const last = this.#messages.at(-1);
    const before = last?.role === "user" ? last : null;
    if (before !== null) this.#messages.pop();
    const allImages = [...(before?.images ?? []), ...images];
    const text = joinBlocks([before?.content ?? "", content]);
    this.#messages.push(allImages.length === 0 ? { role: "user", content: text } : { role: "user", content: text, images: allImages });
  }

  /** A summary stays out of the next message of the person, which models and tools read as theirs alone. */
  addSummary(content: string): void {
    this.addUser(content);
    this.#summaryIsLast = true;
  }

  /** One step of the assistant: its words, its calls, and each call's result right after. */
  addStep(content: string, calls: readonly StepCall[]): void {
    if (isBlank(content) && calls.length === 0) return;
    const first = this.#messages.at(-1);
    if (first === undefined || first.role === "system") this.addUser(BEGINNING);
    this.#summaryIsLast = false;
    const last = this.#messages.at(-1);
    const before = last?.role === "assistant" && last.tool_calls === undefined ? last : null;
    if (before !== null) this.#messages.pop();
    const text = joinBlocks([before?.content ?? "", content]);
    const tool_calls = calls.map(({ id, name, arguments: callArguments }) => ({ id, name, arguments: callArguments }));
    this.#messages.push(calls.length === 0 ? { role: "assistant", content: text } : { role: "assistant", content: text, tool_calls });
    for (const call of calls) this.#messages.push({ role: "tool", tool_call_id: call.id, name: call.name, content: call.result });
  }

  done(): readonly ModelMessage[] {
    return this.#messages;
  }
}

export interface StepCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Never empty. */
  readonly result: string;
}
