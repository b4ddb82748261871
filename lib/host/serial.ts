/** One thing at a time for each key: moves that read a session and then write what follows from it. */
export class KeyedSerial {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Runs `work` after everything that was given for this key before; its failure does not stop what comes after. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const settled: Promise<unknown> = result.catch(() => undefined);
    this.tails.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.tails.get(key) === settled) this.tails.delete(key);
    }
  }
}
