/**
 * Keeps a transcript where its reader wants it. At the end it follows what is written; away from the
 * end the row at the top of the view stays exactly where it is, whatever grows, shrinks, is loaded or
 * unloaded above or below (B229). Works on the element alone: React tells it nothing and it tells React
 * only what changed.
 *
 * Sizes are watched by one ResizeObserver, whose callbacks run after layout and before paint, so that a
 * correction is never seen as a jump. The browser's own anchoring is switched off in favour of this.
 */
export interface ScrollReport {
  readonly following: boolean;
  /** Run whose turn is at the top of the view while its message is above it, else null. */
  readonly pinnedRun: string | null;
  /** A prompt waits below the view. */
  readonly promptBelow: boolean;
  /** The oldest loaded turn is near. */
  readonly nearStart: boolean;
}

export const START_REPORT: ScrollReport = { following: true, pinnedRun: null, promptBelow: false, nearStart: false };

const END_SLACK_PX = 8;
const NEAR_START_PX = 1200;
/** Height of the pinned line: a turn of which only this much is left has given way to the next one. */
const PINNED_PX = 44;

export class ScrollFollower {
  readonly #scroller: HTMLElement;
  readonly #observer: ResizeObserver;
  readonly #report: (report: ScrollReport) => void;
  #last: ScrollReport = START_REPORT;
  #following = true;
  #lastTop = 0;
  #anchor: { readonly row: Element; readonly top: number } | null = null;

  constructor(scroller: HTMLElement, content: HTMLElement, report: (report: ScrollReport) => void) {
    this.#scroller = scroller;
    this.#report = report;
    this.#observer = new ResizeObserver(() => this.#settle());
    this.#observer.observe(content);
    this.#observer.observe(scroller);
    scroller.addEventListener("scroll", this.#onScroll, { passive: true });
    scroller.addEventListener("wheel", this.#onWheel, { passive: true });
  }

  close(): void {
    this.#observer.disconnect();
    this.#scroller.removeEventListener("scroll", this.#onScroll);
    this.#scroller.removeEventListener("wheel", this.#onWheel);
  }

  toEnd(): void {
    this.#following = true;
    this.#settle();
  }

  /** Brings an element below the pinned line; the reader has left the end by that, unless it is there. */
  show(element: Element): void {
    this.#following = false;
    element.scrollIntoView({ block: "start" });
    this.#read();
  }

  readonly #onScroll = (): void => {
    const { scrollTop } = this.#scroller;
    const atEnd = this.#distance() <= END_SLACK_PX;
    if (atEnd) this.#following = true;
    else if (scrollTop < this.#lastTop) this.#following = false;
    this.#read();
  };

  /** A turn of the wheel is a will of the reader, even where it moves less than the slack. */
  readonly #onWheel = (event: WheelEvent): void => {
    if (event.deltaY < 0 && this.#scroller.scrollTop > 0) this.#following = false;
  };

  #distance(): number {
    const { scrollHeight, clientHeight, scrollTop } = this.#scroller;
    return scrollHeight - clientHeight - scrollTop;
  }

  #settle(): void {
    if (this.#following) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    else if (this.#anchor !== null && this.#anchor.row.isConnected) {
      const moved = this.#anchor.row.getBoundingClientRect().top - this.#anchor.top;
      if (Math.abs(moved) >= 1) this.#scroller.scrollTop += moved;
    }
    this.#read();
  }

  #read(): void {
    this.#lastTop = this.#scroller.scrollTop;
    const view = this.#scroller.getBoundingClientRect();
    const rows = this.#scroller.querySelectorAll("[data-row]");
    const row = firstRowBelow(rows, view.top);
    const shown = firstRowBelow(rows, view.top + PINNED_PX);
    this.#anchor = row === null ? null : { row, top: row.getBoundingClientRect().top };
    const prompts = [...this.#scroller.querySelectorAll("[data-prompt]")];
    const next: ScrollReport = {
      following: this.#following || this.#distance() <= END_SLACK_PX,
      pinnedRun: shown === null ? null : pinnedRunOf(shown, view.top),
      promptBelow: prompts.some((prompt) => prompt.getBoundingClientRect().top > view.bottom - 40),
      nearStart: this.#scroller.scrollTop < NEAR_START_PX,
    };
    if (sameReport(next, this.#last)) return;
    this.#last = next;
    this.#report(next);
  }
}

/** Rows lie in document order, so the first whose lower edge is below `top` is found by halving. */
function firstRowBelow(rows: NodeListOf<Element>, top: number): Element | null {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row === undefined || row.getBoundingClientRect().bottom > top + 1) high = middle;
    else low = middle + 1;
  }
  return rows[low] ?? null;
}

function pinnedRunOf(row: Element, top: number): string | null {
  const turn = row.closest("[data-turn]");
  const message = turn?.querySelector("[data-message]");
  if (turn === null || turn === undefined || message === null || message === undefined) return null;
  return message.getBoundingClientRect().bottom < top + END_SLACK_PX ? turn.getAttribute("data-turn") : null;
}

function sameReport(one: ScrollReport, other: ScrollReport): boolean {
  return (
    one.following === other.following &&
    one.pinnedRun === other.pinnedRun &&
    one.promptBelow === other.promptBelow &&
    one.nearStart === other.nearStart
  );
}
