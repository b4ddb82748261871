/**
 * Bytes → frames, whatever the network did to them and whatever the content type claims: server-sent
 * events (any line ends, comments, empty data, no final blank line, cut inside a character), or one
 * JSON body in their place. Lines that are no field of an event are handed on as frames too, so that
 * an error written bare into the stream is seen. Memory is bounded by `LARGEST_FRAME`.
 */
import { createParser, type EventSourceParser } from "eventsource-parser";
import { parseJson } from "./provider-error";

export type Frame =
  /** `tail`: it had no blank line before the end, so it may be cut. */
  | { readonly kind: "event"; readonly name: string | null; readonly data: string; readonly tail: boolean }
  /** The whole body was one JSON text. */
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "oversized" };

const LARGEST_FRAME = 16 * 1024 * 1024;
/** A JSON body is tried as soon as it looks closed, while it is small enough to try again and again. */
const EAGER_JSON = 1024 * 1024;

export class FrameReader {
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  #mode: "unknown" | "events" | "json" | "over" = "unknown";
  #text = "";
  #tail = false;
  #frames: Frame[] = [];

  constructor() {
    this.#parser = createParser({
      maxBufferSize: LARGEST_FRAME,
      onEvent: (event) => this.#event(event.event ?? null, event.data),
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.#overflow();
        else if (error.type === "unknown-field") this.#strayLine(error.line ?? "");
      },
    });
  }

  /** The frames that these bytes complete. */
  push(bytes: Uint8Array): readonly Frame[] {
    this.#take(this.#decoder.decode(bytes, { stream: true }));
    return this.#drain();
  }

  /** What the end of the body completes. Call once. */
  end(): readonly Frame[] {
    this.#take(this.#decoder.decode());
    if (this.#mode === "json" && !this.#closeJson()) this.#event(null, this.#text);
    this.#tail = true;
    if (this.#mode === "events") this.#parser.feed("\n\n");
    return this.#drain();
  }

  #take(text: string): void {
    if (this.#mode === "over" || text === "") return;
    if (this.#mode === "unknown") {
      this.#text += text;
      const first = this.#text.trimStart()[0];
      if (first === undefined) return;
      this.#mode = first === "{" || first === "[" ? "json" : "events";
      if (this.#mode === "events") this.#parser.feed(this.#text);
    } else if (this.#mode === "events") this.#parser.feed(text);
    else this.#text += text;
    if (this.#mode === "json") this.#growJson();
  }

  #growJson(): void {
    if (this.#text.length > LARGEST_FRAME) this.#overflow();
    else if (this.#text.length <= EAGER_JSON && /[}\]]\s*$/.test(this.#text.slice(-8))) this.#closeJson();
  }

  #closeJson(): boolean {
    const value = parseJson(this.#text);
    if (value === undefined) return false;
    this.#frames.push({ kind: "json", value });
    this.#mode = "over";
    return true;
  }

  #event(name: string | null, data: string): void {
    this.#frames.push({ kind: "event", name, data, tail: this.#tail });
  }

  /** The last line may be a field's name that was cut. */
  #strayLine(line: string): void {
    if (line.trim() === "" || (this.#tail && "data".startsWith(line))) return;
    this.#frames.push({ kind: "event", name: null, data: line, tail: false });
  }

  #overflow(): void {
    this.#mode = "over";
    this.#text = "";
    this.#frames.push({ kind: "oversized" });
  }

  #drain(): readonly Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }
}
