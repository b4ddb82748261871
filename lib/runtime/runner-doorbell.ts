/**
 * Keeps listening to the runner for as long as this process lives: what rings wakes this process's
 * tails at once, and the journal knows whether it can rely on that. While nobody rings the tails look
 * for themselves, so a doorbell that is down costs time and never an event.
 */
import type { Journal } from "#journal/journal";
import type { RunnerClient } from "./runner-client";

export interface DoorbellTiming {
  readonly shortestPauseMs: number;
  readonly longestPauseMs: number;
}
export const DOORBELL_TIMING: DoorbellTiming = { shortestPauseMs: 50, longestPauseMs: 2_000 };

export class RunnerDoorbell {
  private readonly closing = new AbortController();
  private readonly over: Promise<void>;
  private failures = 0;
  private wake: (() => void) | null = null;

  constructor(
    private readonly client: Pick<RunnerClient, "listen">,
    private readonly journal: Pick<Journal, "ring" | "setDoorbell">,
    private readonly timing: DoorbellTiming = DOORBELL_TIMING,
  ) {
    this.over = this.keepListening();
  }

  /** The runner was just seen alive: a pause between two tries ends now. */
  tryNow(): void {
    this.failures = 0;
    this.wake?.();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.wake?.();
    await this.over;
  }

  private async keepListening(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.client.listen({ listening: () => this.connected(), rung: () => this.journal.ring() }, signal);
      this.journal.setDoorbell(false);
      if (!signal.aborted) await this.pause();
    }
  }

  private connected(): void {
    this.failures = 0;
    this.journal.setDoorbell(true);
  }

  private pause(): Promise<void> {
    const milliseconds = Math.min(this.timing.shortestPauseMs * 2 ** this.failures, this.timing.longestPauseMs);
    this.failures += 1;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      timer.unref();
      this.wake = end;
    });
  }
}
