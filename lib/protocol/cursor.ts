/**
 * Cursors (contract 2.4): an event id (`run:seq` or `ses:seq`) or, on a run's stream, a bare seq.
 * Absent, empty and 0 mean from the start. Anything else that is not exactly one of these is
 * `malformed`, and the reader answers it with a reset and everything, never with less.
 */
export type Cursor =
  | { readonly kind: "start" }
  | { readonly kind: "seq"; readonly seq: number }
  | { readonly kind: "event"; readonly owner: string; readonly seq: number; readonly text: string }
  | { readonly kind: "malformed" };

const SEQ = /^(0|[1-9][0-9]{0,14})$/;
const EVENT = /^((?:run|ses)_[0-9A-Za-z]{1,40}):([0-9]{1,15})$/;

export function parseCursor(text: string | null | undefined, options: { readonly bareSeq: boolean }): Cursor {
  if (text === null || text === undefined || text === "" || text === "0") return { kind: "start" };
  if (text.length > 80) return { kind: "malformed" };
  if (SEQ.test(text)) return options.bareSeq ? { kind: "seq", seq: Number(text) } : { kind: "malformed" };
  const match = EVENT.exec(text);
  const owner = match?.[1];
  const digits = match?.[2];
  if (owner === undefined || digits === undefined || !SEQ.test(digits)) return { kind: "malformed" };
  const seq = Number(digits);
  return { kind: "event", owner, seq, text };
}

export function eventId(owner: string, seq: number): string {
  return `${owner}:${seq}`;
}
