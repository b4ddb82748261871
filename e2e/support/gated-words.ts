/** An answer whose words come in batches, each when its gate is opened; within a batch they trickle. */
import { DONE_FRAME, deltaChunk, frame, rawReply, type Reply, type ReplyStep } from "#testing/model-replies";
import { Gate } from "./gate";

export interface GatedWords {
  readonly reply: Reply;
  readonly gates: readonly Gate[];
  /** The whole answer. */
  readonly text: string;
}

/** `w1 w2 …`, `batches` times `size` of them; the first batch waits for no gate. */
export function gatedWords(batches: number, size: number, pauseMs: number): GatedWords {
  const gates = Array.from({ length: batches - 1 }, () => new Gate());
  const words = Array.from({ length: batches * size }, (_, index) => `w${index + 1}`);
  const steps = words.flatMap((word, index): readonly ReplyStep[] => {
    const gate = index % size === 0 ? gates[index / size - 1] : undefined;
    const wait: readonly ReplyStep[] = gate === undefined ? [] : [{ kind: "until", promise: gate.opened }];
    return [...wait, frame(deltaChunk({ content: index === 0 ? word : ` ${word}` })), { kind: "pause", ms: pauseMs }];
  });
  return {
    reply: rawReply([...steps, frame(deltaChunk({}, "stop")), { kind: "bytes", bytes: DONE_FRAME }]),
    gates,
    text: words.join(" "),
  };
}

/** Reasoning first, in pieces. */
export function thinking(pieces: readonly string[]): readonly ReplyStep[] {
  return pieces.map((piece) => frame(deltaChunk({ reasoning_content: piece })));
}
