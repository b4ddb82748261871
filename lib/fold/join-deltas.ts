/**
 * Which two consecutive bodies are one (contract 2.1): deltas of one segment, and output of one call
 * on one channel. Joining happens before `seq` is given, never crosses another event, and leaves the
 * folded view as it would have been.
 */
import type { RunEventBody } from "#protocol/events";

/** The joined body, or null when the two must stay apart. */
export function joinBodies(first: RunEventBody, second: RunEventBody): RunEventBody | null {
  if (first.type === "token.delta" && second.type === "token.delta") {
    if (!sameExcept("delta", first.payload, second.payload)) return null;
    return { type: first.type, payload: { ...first.payload, delta: first.payload.delta + second.payload.delta } };
  }
  if (first.type === "reasoning.delta" && second.type === "reasoning.delta") {
    if (!sameExcept("delta", first.payload, second.payload)) return null;
    return { type: first.type, payload: { ...first.payload, delta: first.payload.delta + second.payload.delta } };
  }
  if (first.type === "tool.updated" && second.type === "tool.updated") return joinOutput(first, second);
  return null;
}

type OutputBody = Extract<RunEventBody, { type: "tool.updated" }>;

function joinOutput(first: OutputBody, second: OutputBody): OutputBody | null {
  for (const channel of ["stdout", "stderr"] as const) {
    const before = first.payload[channel];
    const after = second.payload[channel];
    if (before === undefined || after === undefined) continue;
    if (!sameExcept(channel, first.payload, second.payload) || Object.keys(first.payload).length !== 2) return null;
    return { type: "tool.updated", payload: { ...first.payload, [channel]: before + after } };
  }
  return null;
}

/** All keys but one are the same scalars: a key that a later version adds is never joined away. */
function sameExcept(key: string, first: Readonly<Record<string, unknown>>, second: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(first);
  if (keys.length !== Object.keys(second).length) return false;
  return keys.every((name) => name === key || (Object.hasOwn(second, name) && first[name] === second[name]));
}
