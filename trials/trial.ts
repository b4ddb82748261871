/** What a kind of trial has to do with: the product, its people and tabs, and the story that a failing seed prints. */
import { until } from "#testing/until";
import type { SeededRandom } from "#testing/seeded-random";
import { Observer } from "./observer";
import type { Person } from "./person";
import type { Product, Started } from "./product";
import type { Stand, StandOptions } from "./stand";
import type { Story, Storyteller } from "./story";

export interface TrialParts {
  readonly random: SeededRandom;
  readonly stand: Stand;
  readonly product: Product;
  readonly person: Person;
  readonly storyteller: Storyteller;
  readonly tell: (line: string) => void;
}

export interface Turn {
  readonly started: Started;
  readonly observer: Observer;
  readonly story: Story;
}

/** A kind: how the product is started, and what is done to it. Whatever it throws fails the trial. */
export interface TrialKind {
  readonly name: string;
  readonly stand?: (random: SeededRandom) => Partial<StandOptions>;
  /** Prompts are answered at once unless this says so. */
  readonly holdsPrompts?: (random: SeededRandom) => boolean;
  /** Why it cannot be done here, or null. */
  readonly whySkipped?: () => string | null;
  /** Before the product starts. */
  readonly prepare?: (stand: Stand) => Promise<void>;
  readonly play: (trial: Trial) => Promise<void>;
}

/** Long enough for a machine on which everything else is busy, too. */
export const RUN_WITHIN_MS = 120_000;

export class Trial {
  readonly observers: Observer[] = [];
  readonly broken: string[] = [];
  /** Which runs an owner's death may interrupt: none (it lives), those that worked, or those that waited, too. */
  mayInterrupt: "none" | "working" | "all" = "none";

  constructor(private readonly parts: TrialParts) {}

  get random(): SeededRandom {
    return this.parts.random;
  }
  get stand(): Stand {
    return this.parts.stand;
  }
  get product(): Product {
    return this.parts.product;
  }
  get person(): Person {
    return this.parts.person;
  }
  get storyteller(): Storyteller {
    return this.parts.storyteller;
  }

  tell(line: string): void {
    this.parts.tell(line);
  }

  /** Notes what is not as it has to be; the trial goes on. */
  check(holds: boolean, otherwise: string): void {
    if (!holds) this.broken.push(otherwise);
  }

  watch(target: Observer["target"]): Observer {
    const observer = new Observer(this.stand.url, target);
    this.observers.push(observer);
    this.person.watch(observer);
    return observer;
  }

  async turn(story: Story, sessionId?: string): Promise<Turn> {
    const started = await this.product.start({ message: story.script, ...(sessionId === undefined ? {} : { session_id: sessionId }) });
    this.tell(`started ${started.stream_id} in ${started.session_id}: ${JSON.stringify(story.script)}`);
    return { started, story, observer: this.watch({ kind: "run", id: started.stream_id }) };
  }

  /** Until that many events of the run were seen, or nothing more comes before somebody answers or it ends. */
  async reached({ observer, started }: Turn, events: number): Promise<void> {
    await until(() => {
      const view = observer.viewOf(started.stream_id);
      return observer.events.length >= events || view?.terminal_state != null || view?.status === "awaiting_approval" || view?.status === "awaiting_clarify";
    }, RUN_WITHIN_MS);
    const view = observer.viewOf(started.stream_id);
    this.tell(`${started.stream_id} reached ${view?.last_seq ?? 0} (${view?.status ?? "unseen"})`);
  }

  async ended({ observer, started }: Turn): Promise<void> {
    await until(() => observer.viewOf(started.stream_id)?.terminal_state != null || observer.broken.length > 0, RUN_WITHIN_MS).catch(() => {
      const view = observer.viewOf(started.stream_id);
      throw new Error(`${started.stream_id} did not end; it is ${view?.status ?? "unseen"} at ${view?.last_seq ?? 0} after ${observer.connections} connections`);
    });
    this.tell(`${started.stream_id} ended: ${observer.viewOf(started.stream_id)?.terminal_state ?? "unseen"}`);
  }
}
