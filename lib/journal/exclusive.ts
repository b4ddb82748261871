/** One after the other: what is asked for later begins when everything before it has ended, however it ended. */
export class Exclusive {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(action: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(action, action);
    this.#last = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }
}
