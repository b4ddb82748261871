/**
 * What the model of a trial does: a script of the practice model (contract 1.3) drawn from the seed,
 * with text, reasoning, real commands, files, approvals and questions. Every command leaves a line of
 * its own in `effects.txt`, so that a command that ran twice shows.
 */
import type { SeededRandom } from "#testing/seeded-random";

export interface Story {
  readonly script: string;
  /** The last thing it says. */
  readonly ending: string;
  /** About as many events as it makes. */
  readonly events: number;
}

interface Act {
  readonly lines: readonly string[];
  readonly events: number;
}

export interface StoryWishes {
  /** At least one approval and one question. */
  readonly prompts?: boolean;
  readonly acts?: number;
}

export class Storyteller {
  private commands = 0;
  private stories = 0;

  constructor(private readonly random: SeededRandom) {}

  tell(wishes: StoryWishes = {}): Story {
    const { random } = this;
    const number = (this.stories += 1);
    const drawn = Array.from({ length: wishes.acts ?? random.between(3, 6) }, () => random.pick(this.acts)());
    const wanted = wishes.prompts === true ? [this.dangerous(), this.question()] : [];
    const acts = shuffled(random, [...drawn, ...wanted]);
    const ending = `End of story ${number}.`;
    return {
      script: [...acts.flatMap(({ lines }) => lines), "", `say ${ending}`].join("\n"),
      ending,
      events: acts.reduce((sum, { events }) => sum + events, 6),
    };
  }

  private readonly acts: readonly (() => Act)[] = [
    () => {
      const words = this.random.between(5, 40);
      return { lines: [`stream ${words} ${this.random.between(5, 45)}`], events: words };
    },
    () => ({ lines: ["think I look at what is there, and then decide what to do next."], events: 5 }),
    () => ({ lines: ["plan look around; decide; act"], events: 4 }),
    () => ({ lines: [`sleep ${this.random.between(20, 400)}`], events: 1 }),
    () => ({ lines: [`run ${this.command(`for n in 1 2 3 4; do echo line $n; sleep 0.${this.random.between(1, 3)}; done`)}`, ""], events: 8 }),
    () => ({ lines: [`write note-${this.commands}.txt: a note`, `read note-${this.commands}.txt`, ""], events: 6 }),
    () => ({ lines: [`run ${this.command("(setsid sleep 300 > /dev/null 2>&1 &); sleep 0.1; echo left one behind")}`, ""], events: 5 }),
    () => ({ lines: [`run ${this.command("echo together")}`, `run ${this.command("rm -r nothing-here")}`, "ask Which? | red | blue", ""], events: 12 }),
    () => this.dangerous(),
    () => this.question(),
  ];

  private dangerous(): Act {
    return { lines: [`run ${this.command("rm -r nothing-here")}`, ""], events: 6 };
  }

  private question(): Act {
    return { lines: ["ask Which colour? | red | blue", ""], events: 6 };
  }

  private command(work: string): string {
    return `echo command-${(this.commands += 1)} >> effects.txt; ${work}`;
  }
}

export function shuffled<T>(random: SeededRandom, items: readonly T[]): readonly T[] {
  const mixed = items.map((item) => ({ item, place: random.next() }));
  return mixed.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
