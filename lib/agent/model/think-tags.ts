/**
 * Splits a streamed answer into text and inline thinking (`<think>…</think>` and its cousins), cut
 * anywhere. Held back is only what may still become a tag, and white space beside one. A tag counts
 * where a model puts it: at the start of a line, outside code. A tag named in prose or in backticks
 * stays text, so that an answer about tags is not swallowed. A closing tag without its opening one
 * (some chat templates eat it) is dropped.
 */
export interface SplitPart {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

const NAMES = ["think", "thinking", "thought", "reasoning"];
const OPENING = NAMES.map((name) => `<${name}>`);
const CLOSING = NAMES.map((name) => `</${name}>`);
const LONGEST_TAG = Math.max(...CLOSING.map((tag) => tag.length));

export class ThinkTagSplitter {
  /** Not yet decided: a possible tag, at most as long as the longest one. */
  #held = "";
  /** White space that is shown when anything follows, and dropped when a tag does. */
  #space = "";
  /** The tag that closes the thinking we are in, else null. */
  #closer: string | null = null;
  /** Nothing was shown yet since the start, or since the last tag. */
  #atEdge = true;
  #afterThought = false;
  readonly #line = new LineState();
  #parts: SplitPart[] = [];

  /** What can be shown now; `text` may be empty. */
  push(text: string): readonly SplitPart[] {
    const buffer = this.#held + text;
    this.#held = "";
    let at = 0;
    while (at < buffer.length) {
      const next = buffer.indexOf("<", at);
      if (next !== at) this.#plain(buffer.slice(at, next === -1 ? buffer.length : next));
      if (next === -1) break;
      const taken = this.#tag(buffer.slice(next));
      if (taken === null) {
        this.#held = buffer.slice(next);
        break;
      }
      at = next + taken;
    }
    return this.#drain();
  }

  /** The rest: what looked like the start of a tag was none. Call at the end of the answer. */
  end(): readonly SplitPart[] {
    const rest = this.#held;
    this.#held = "";
    if (rest !== "") this.#plain(rest);
    return this.#drain();
  }

  /** Characters taken from the start of `rest`, which begins with `<`; null when it may still become a tag. */
  #tag(rest: string): number | null {
    const lower = rest.slice(0, LONGEST_TAG).toLowerCase();
    const wanted = this.#wantedTags();
    const found = wanted.find((tag) => lower.startsWith(tag));
    if (found !== undefined) {
      this.#turn(found);
      return found.length;
    }
    if (lower.length === rest.length && wanted.some((tag) => tag.startsWith(lower))) return null;
    this.#plain("<");
    return 1;
  }

  #wantedTags(): readonly string[] {
    if (this.#closer !== null) return [this.#closer];
    if (this.#line.inCode) return [];
    return this.#line.blank ? [...OPENING, ...CLOSING] : CLOSING;
  }

  #turn(tag: string): void {
    const opens = this.#closer === null && !tag.startsWith("</");
    this.#closer = opens ? `</${tag.slice(1)}` : null;
    this.#afterThought = !opens;
    this.#atEdge = true;
    this.#space = "";
  }

  #plain(text: string): void {
    if (this.#closer !== null) this.#think(text);
    else this.#say(text);
  }

  #think(text: string): void {
    const all = this.#space + text;
    const kept = all.trimEnd();
    this.#space = all.slice(kept.length);
    this.#show("reasoning", this.#atEdge ? kept.trimStart() : kept);
  }

  #say(text: string): void {
    this.#line.follow(text);
    const all = this.#space + text;
    const waits = this.#atEdge && all.trim() === "";
    this.#space = waits ? all : "";
    if (!waits) this.#show("text", this.#atEdge && this.#afterThought ? all.trimStart() : all);
  }

  #show(type: SplitPart["type"], text: string): void {
    if (text === "") return;
    this.#atEdge = false;
    this.#parts.push({ type, text });
  }

  #drain(): readonly SplitPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

/** Where in a line of Markdown the text stands: enough to know its start, its code spans and fences. */
class LineState {
  #head = "";
  #ticks = 0;
  #fenced = false;

  get blank(): boolean {
    return this.#head === "";
  }

  get inCode(): boolean {
    return this.#fenced || this.#ticks % 2 === 1;
  }

  follow(text: string): void {
    text.split("\n").forEach((piece, at) => {
      if (at > 0) this.#breakLine();
      if (this.#head.length < 3) this.#head = (this.#head + piece).trimStart().slice(0, 3);
      this.#ticks += piece.split("`").length - 1;
    });
  }

  #breakLine(): void {
    if (this.#head === "```" || this.#head === "~~~") this.#fenced = !this.#fenced;
    this.#head = "";
    this.#ticks = 0;
  }
}
