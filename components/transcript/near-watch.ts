/** One IntersectionObserver for all turns of a transcript: tells each when it comes near the view or leaves it. */
export class NearWatch {
  readonly #listeners = new Map<Element, (near: boolean) => void>();
  #observer: IntersectionObserver | null = null;

  /** `margin`: how far outside the view still counts as near, in px. */
  constructor(readonly margin: number) {}

  open(root: Element): void {
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) this.#listeners.get(entry.target)?.(entry.isIntersecting);
      },
      { root, rootMargin: `${this.margin}px 0px` },
    );
    for (const element of this.#listeners.keys()) this.#observer.observe(element);
  }

  close(): void {
    this.#observer?.disconnect();
    this.#observer = null;
  }

  watch(element: Element, listener: (near: boolean) => void): () => void {
    this.#listeners.set(element, listener);
    this.#observer?.observe(element);
    return () => {
      this.#listeners.delete(element);
      this.#observer?.unobserve(element);
    };
  }
}
