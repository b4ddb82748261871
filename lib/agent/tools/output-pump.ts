/**
 * Output of a command, from bytes to text: one decoder per stream, so that a character that comes in
 * two writes stays whole. Pieces are passed on up to a limit, while the receiver keeps pace; what
 * comes after is only counted, at full speed. A stream that a left-over process holds open after the
 * command ended is read on, unseen, so that this process does not die of a broken pipe.
 */
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

export type OutputName = "stdout" | "stderr";

export interface OutputReceiver {
  /** Each decoded piece; true where it was passed on to someone who may be slower. */
  text(name: OutputName, text: string): boolean;
  /** Resolves when more may come; asked after each piece that was passed on, until the command has ended. */
  drained(): Promise<void>;
}

export interface OutputPump {
  /** Bytes of both streams so far. */
  readonly bytes: number;
  /** Takes what is left after the end of the command: until the streams end, 400 ms of silence, or 1 s. */
  settle(): Promise<void>;
  /** Nothing is passed on any more. `gone`: no process can hold the streams, they are closed. */
  release(gone: boolean): void;
}

const SILENCE_MS = 400;
const SETTLE_MS = 1000;
/** What a left-over process may still write before its pipe is closed on it. */
const LEFTOVER_BYTES = 16 * 1024 * 1024;

interface PumpState {
  bytes: number;
  last: number;
  open: number;
  hurried: boolean;
  released: boolean;
  leftover: number;
}

function attach(name: OutputName, stream: Readable, receiver: OutputReceiver, state: PumpState): void {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const resume = () => {
    stream.resume();
  };
  const finish = () => {
    const rest = decoder.decode();
    if (rest !== "" && !state.released) receiver.text(name, rest);
  };
  stream.on("data", (chunk: Buffer) => {
    if (state.released) {
      state.leftover += chunk.length;
      if (state.leftover > LEFTOVER_BYTES) stream.destroy();
      return;
    }
    state.bytes += chunk.length;
    state.last = performance.now();
    const passedOn = receiver.text(name, decoder.decode(chunk, { stream: true }));
    if (state.hurried || !passedOn) return;
    stream.pause();
    void receiver.drained().then(resume, resume);
  });
  stream.once("end", finish);
  // A read error ends the stream as its end does; `close` follows either.
  stream.on("error", finish);
  stream.once("close", () => {
    state.open -= 1;
  });
}

export function pumpOutput(streams: Readonly<Record<OutputName, Readable>>, receiver: OutputReceiver): OutputPump {
  const state: PumpState = { bytes: 0, last: performance.now(), open: 2, hurried: false, released: false, leftover: 0 };
  const both = [streams.stdout, streams.stderr];
  attach("stdout", streams.stdout, receiver, state);
  attach("stderr", streams.stderr, receiver, state);
  return {
    get bytes() {
      return state.bytes;
    },
    async settle() {
      const began = performance.now();
      state.hurried = true;
      state.last = began;
      for (const stream of both) stream.resume();
      while (state.open > 0 && performance.now() - state.last < SILENCE_MS && performance.now() - began < SETTLE_MS) await sleep(10);
    },
    release(gone) {
      state.released = true;
      for (const stream of both) {
        if (gone) stream.destroy();
        else if (stream instanceof Socket) stream.unref();
      }
    },
  };
}
