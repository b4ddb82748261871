/**
 * At most so many runs work at once; more wait, first come first served. A run that waits for a
 * person holds no slot, and once answered it goes on at once, above the limit if need be: nobody
 * who answered should then wait for a machine.
 */
export class Slots {
  private readonly holders = new Set<string>();
  private readonly waiting: { readonly run_id: string; readonly start: () => void }[] = [];

  constructor(private readonly limit: number) {}

  /** Takes a slot when one is free and nobody waits for it; false otherwise. */
  tryHold(runId: string): boolean {
    if (this.waiting.length > 0 || this.holders.size >= this.limit) return false;
    this.holders.add(runId);
    return true;
  }

  /** Takes a slot whatever the limit says. */
  hold(runId: string): void {
    this.holders.add(runId);
  }

  free(runId: string): void {
    if (this.holders.delete(runId)) this.startNext();
  }

  /** Runs that wait before this one would start. */
  ahead(): number {
    return this.waiting.length;
  }

  /** Resolves when the run has a slot, or when it is stopped. */
  wait(runId: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.tryHold(runId)) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = (): void => {
        const index = this.waiting.indexOf(entry);
        if (index !== -1) this.waiting.splice(index, 1);
        resolve();
      };
      const entry = {
        run_id: runId,
        start: () => {
          signal.removeEventListener("abort", leave);
          this.holders.add(runId);
          resolve();
        },
      };
      this.waiting.push(entry);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  private startNext(): void {
    while (this.holders.size < this.limit) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      next.start();
    }
  }
}
