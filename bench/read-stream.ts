/** Reads one event stream on a connection of its own, with as little work as can be. */
import { get, type ClientRequest } from "node:http";

const STAMP = /@(\d+\.\d+);/g;
/** Longer than any stamp: what may be cut in two between pieces. */
const OVERLAP = 24;

export interface StreamReading {
  /** Milliseconds from each stamp's writing to its arrival here. */
  readonly delays: readonly number[];
  /** Resolves when the first byte came. */
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  readonly request: ClientRequest;
}

export function readStamps(url: string): StreamReading {
  const delays: number[] = [];
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end: () => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => ((end = resolve), (fail = reject)));
  let rest = "";
  const request = get(url, { agent: false }, (answer) => {
    if (answer.statusCode !== 200) return fail(new Error(`${url} answered ${answer.statusCode}`));
    answer.setEncoding("utf8");
    answer.on("data", (piece: string) => {
      const now = performance.now();
      begin();
      const text = rest + piece;
      let read = 0;
      for (const stamp of text.matchAll(STAMP)) {
        delays.push(now - Number(stamp[1]));
        read = stamp.index + stamp[0].length;
      }
      rest = text.slice(Math.max(read, text.length - OVERLAP));
    });
    answer.on("end", () => (begin(), end()));
    answer.on("error", fail);
  });
  request.on("error", fail);
  return { delays, begun: Promise.race([begun, ended]), ended, request };
}

/** Answers how many bytes came until the end. */
export function readWhole(url: string, keep?: (piece: Buffer) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (answer) => {
      let bytes = 0;
      answer.on("data", (piece: Buffer) => {
        bytes += piece.byteLength;
        keep?.(piece);
      });
      answer.on("end", () => resolve(bytes));
      answer.on("error", reject);
    }).on("error", reject);
  });
}
