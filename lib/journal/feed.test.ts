import { describe, expect, it } from "vitest";
import { Feed } from "./feed";
import { createChunk, type FramePiece } from "./read-frames";

const PIECES = 40;

function openFeed(characters: number) {
  const reads: number[] = [];
  const read = (after: number): Promise<FramePiece> => {
    reads.push(after);
    return Promise.resolve({ chunk: createChunk("x".repeat(characters), after, after + 1, 1, false), next: after + 1, more: true, state: "open" });
  };
  const feed = new Feed(read, () => true);
  return {
    reads,
    enter: () => feed.enter(),
    replay: async () => {
      for (let after = 0; after < PIECES; after += 1) await feed.pieceAfter(after);
    },
  };
}

describe("what a feed keeps of a log", () => {
  it("is read once by all who fall behind together", async () => {
    const feed = openFeed(1_000);
    for (let count = 0; count < 3; count += 1) feed.enter();
    for (let count = 0; count < 3; count += 1) await feed.replay();
    expect(feed.reads).toHaveLength(PIECES);
  });

  it("is bounded however many they are", async () => {
    const feed = openFeed(500_000);
    feed.enter();
    feed.enter();
    await feed.replay();
    await feed.replay();
    expect(feed.reads).toHaveLength(PIECES * 2);
  });

  it("is next to nothing for a single reader", async () => {
    const feed = openFeed(1_000);
    feed.enter();
    await feed.replay();
    await feed.replay();
    expect(feed.reads).toHaveLength(PIECES * 2);
  });
});
