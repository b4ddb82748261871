/** A page over a fake tab and a real loopback server: its client, started, with what it shows at hand. */
import { expect } from "vitest";
import type { SessionView } from "#fold/session-view";
import { turnsOf } from "#fold/transcript";
import { createClient, type Client } from "./client";
import type { FakeTab } from "./fake-browser.fixture";
import { LINK_TIMING } from "./link-machine";
import { viewOf } from "./session-entry";

/** As in the product, save that a busy test machine has time to answer. */
const TIMING = { ...LINK_TIMING, opening_ms: 30_000, silence_ms: 30_000 };

export class OpenPage {
  readonly client: Client;
  readonly tab: FakeTab;
  readonly #stop: () => void;

  constructor(tab: FakeTab, createKey: () => string) {
    this.tab = tab;
    this.client = createClient({ basePath: "/base", browser: tab, createKey, timing: TIMING });
    this.#stop = this.client.start();
  }

  view(sessionId: string): SessionView | null {
    return viewOf(this.client.sessions.store.getState().entries[sessionId]);
  }

  status(sessionId: string): string | undefined {
    return this.client.sessions.store.getState().entries[sessionId]?.status;
  }

  /** The texts that are drawn, one for each turn. */
  texts(sessionId: string): readonly string[] {
    const view = this.view(sessionId);
    if (view === null) return [];
    return turnsOf(view).map((turn) => turn.blocks.flatMap((block) => (block.kind === "words" ? [block.part.text] : [])).join("|"));
  }

  banner(): string {
    return this.client.connection.getState().state.kind;
  }

  /** As a tab that is closed. */
  close(): void {
    this.#stop();
    this.client.sessions.close();
    this.client.list.close();
    this.client.composers.close();
  }
}

/** Waits until it is so; there is no fixed sleep in these tests. */
export async function until<T>(read: () => T, expected: T): Promise<void> {
  await expect.poll(read, { timeout: 15_000, interval: 5 }).toEqual(expected);
}
