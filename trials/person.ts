/**
 * Who answers the prompts that an observer shows, at once or only when told to. An answer that was
 * taken (200) is a promise: the prompt ends as answered, whatever dies afterwards.
 */
import { openPrompts, type OpenPrompt } from "#fold/open-work";
import type { SeededRandom } from "#testing/seeded-random";
import type { Observer } from "./observer";
import type { Product } from "./product";

interface Given {
  readonly prompt: OpenPrompt;
  readonly run_id: string;
  readonly taken: boolean;
  readonly deny: boolean;
}

export interface PersonParts {
  readonly product: Product;
  readonly random: SeededRandom;
  readonly tell: (line: string) => void;
}

export class Person {
  readonly broken: string[] = [];
  private readonly given = new Map<string, Promise<Given>>();
  private readonly watched: Observer[] = [];
  private holding: boolean;

  constructor(
    private readonly parts: PersonParts,
    holding: boolean,
  ) {
    this.holding = holding;
  }

  watch(observer: Observer): void {
    this.watched.push(observer);
    observer.listen(() => this.look(observer));
  }

  /** From now on every prompt is answered. */
  release(): void {
    this.holding = false;
    for (const observer of this.watched) this.look(observer);
  }

  /** Answers what is open now, and goes on holding back. */
  async answerOpen(): Promise<void> {
    const held = this.holding;
    this.holding = false;
    for (const observer of this.watched) this.look(observer);
    this.holding = held;
    await Promise.all(this.given.values());
  }

  /** Everything that was answered, as promised. */
  async findBrokenPromises(): Promise<readonly string[]> {
    const given = await Promise.all(this.given.values());
    const views = this.watched.map(({ views: seen }) => seen);
    return [...this.broken, ...given.flatMap((each) => brokenPromise(each, views.map((seen) => seen.get(each.run_id)?.parts ?? []).find((parts) => parts.length > 0) ?? []))];
  }

  private look(observer: Observer): void {
    if (this.holding) return;
    for (const view of observer.views.values()) {
      for (const prompt of openPrompts(view)) {
        const id = idOf(prompt);
        if (!this.given.has(id)) this.given.set(id, this.answer(prompt, view.run_id, view.session_id));
      }
    }
  }

  private async answer(prompt: OpenPrompt, run_id: string, session_id: string): Promise<Given> {
    const { product, random, tell } = this.parts;
    const deny = random.chance(0.3);
    const id = idOf(prompt);
    try {
      const answer =
        prompt.type === "approval"
          ? await product.ask("POST", "/api/approval/respond", { session_id, approval_id: id, choice: deny ? "deny" : "once" })
          : await product.ask("POST", "/api/clarify/respond", { session_id, clarify_id: id, response: "blue" });
      tell(`answered ${id}: ${answer.status}`);
      if (answer.status !== 200 && answer.status !== 409) this.broken.push(`H3 ${id}: answering it gave ${answer.status} ${JSON.stringify(answer.body)}`);
      return { prompt, run_id, deny, taken: answer.status === 200 };
    } catch (error) {
      this.broken.push(`H3 ${id}: it could not be answered: ${String(error)}`);
      return { prompt, run_id, deny, taken: false };
    }
  }
}

function brokenPromise({ prompt, taken, deny }: Given, parts: readonly { readonly type: string; readonly status?: unknown }[]): readonly string[] {
  if (!taken) return [];
  const id = idOf(prompt);
  const wanted = prompt.type === "clarify" ? "answered" : deny ? "denied" : "approved";
  const part = parts.find((each) => ("approval_id" in each && each.approval_id === id) || ("clarify_id" in each && each.clarify_id === id));
  return part?.status === wanted ? [] : [`H3 ${id}: its answer was taken, and it is ${String(part?.status)} in place of ${wanted}`];
}

function idOf(prompt: OpenPrompt): string {
  return prompt.type === "approval" ? prompt.approval_id : prompt.clarify_id;
}
