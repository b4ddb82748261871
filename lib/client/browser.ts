/**
 * What this room needs of a browser, as one port, so that the rest of it runs and is tested without
 * one. `locks` and `openChannel` are null where the browser has none (plain http from another
 * machine): then each visible tab has a connection of its own.
 */
import type { Fetch } from "./http-client";
import type { CreateUploadRequest } from "./upload-attachment";

export type Cancel = () => void;

export interface Clock {
  /** Milliseconds of the wall clock: tabs tell each other when something will be tried. */
  now(): number;
  after(milliseconds: number, action: () => void): Cancel;
}

export interface LockPort {
  /** Holds the lock until `held` settles. Rejects when another holder steals it or `signal` is aborted while it waits. */
  request(name: string, options: { readonly steal?: boolean; readonly signal?: AbortSignal }, held: () => Promise<void>): Promise<unknown>;
}

export interface ChannelPort {
  post(message: unknown): void;
  close(): void;
}

/**
 * `shown`/`hidden`: visibility changed. `woken`: online again, or back from the page cache.
 * `frozen`: the page is about to stop (freeze, page cache, unload); `thawed`: it goes on.
 */
export type PageSignal = "shown" | "hidden" | "woken" | "frozen" | "thawed";

/** What survives a reload; calls never throw, where storage is full or forbidden nothing is kept. */
export interface KeepPort {
  read(key: string): string | null;
  write(key: string, value: string): void;
  remove(key: string): void;
  keys(): readonly string[];
}

export interface Browser {
  readonly fetch: Fetch;
  readonly createUploadRequest: CreateUploadRequest;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly locks: LockPort | null;
  readonly openChannel: ((name: string, onMessage: (message: unknown) => void) => ChannelPort) | null;
  readonly keep: KeepPort;
  isVisible(): boolean;
  onPageSignal(listener: (signal: PageSignal) => void): Cancel;
  /** Once, at the next painted frame, or soon where nothing is painted. */
  onNextFrame(action: () => void): Cancel;
}
