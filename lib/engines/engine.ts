/** An engine runs one turn: it emits event bodies through its context, obeys its signal, and says how it ended. */
import type { RunContext, RunOutcome } from "#agent/run-context";

export interface Engine {
  readonly id: string;
  run(context: RunContext): Promise<RunOutcome>;
}
