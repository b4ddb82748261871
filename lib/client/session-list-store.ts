/**
 * The list of sessions. It is asked for anew when the server says that it changed, however often
 * that is: one request at a time, and a pause between two. Rows that did not change keep their
 * reference.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { SessionSummary } from "#protocol/session-shapes";
import type { ApiFailure } from "./api-result";
import type { Browser, Cancel } from "./browser";
import type { SessionApi, SessionListQuery } from "./session-api";

export type ListFilter = Omit<SessionListQuery, "limit" | "cursor">;

export interface SessionListState {
  readonly filter: ListFilter;
  readonly sessions: readonly SessionSummary[];
  /** `loading`: nothing of this filter is known yet. */
  readonly status: "loading" | "ready" | "failed";
  readonly failure: ApiFailure | null;
  readonly has_more: boolean;
  readonly loading_more: boolean;
}

export interface SessionListOptions {
  readonly browser: Pick<Browser, "clock" | "isVisible">;
  readonly api: Pick<SessionApi, "list">;
}

const PAGE = 50;
const MOST_PER_REQUEST = 200;
const PAUSE_MS = 300;
const HIDDEN_PAUSE_MS = 5_000;

export class SessionListStore {
  readonly store: StoreApi<SessionListState> = createStore<SessionListState>(() => ({
    filter: {},
    sessions: [],
    status: "loading",
    failure: null,
    has_more: false,
    loading_more: false,
  }));
  readonly #options: SessionListOptions;
  #wanted = PAGE;
  #request: AbortController | null = null;
  #again = false;
  #cancelPause: Cancel | null = null;

  constructor(options: SessionListOptions) {
    this.#options = options;
  }

  /** Another filter: what is shown stays until the first answer for it. */
  setFilter(filter: ListFilter): void {
    this.#wanted = PAGE;
    this.store.setState({ filter, status: "loading" });
    this.#stop();
    this.refresh();
  }

  /** The list changed somewhere. Many calls make few requests. */
  refresh(): void {
    if (this.#request !== null || this.#cancelPause !== null) this.#again = true;
    else void this.#load();
  }

  loadMore(): void {
    if (!this.store.getState().has_more) return;
    this.#wanted += PAGE;
    this.store.setState({ loading_more: true });
    this.refresh();
  }

  close(): void {
    this.#stop();
  }

  #stop(): void {
    this.#request?.abort();
    this.#request = null;
    this.#cancelPause?.();
    this.#cancelPause = null;
    this.#again = false;
  }

  async #load(): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    const { browser } = this.#options;
    await this.#loadPages(request.signal);
    if (request.signal.aborted) return;
    this.#request = null;
    this.#cancelPause = browser.clock.after(browser.isVisible() ? PAUSE_MS : HIDDEN_PAUSE_MS, () => {
      this.#cancelPause = null;
      if (!this.#again) return;
      this.#again = false;
      void this.#load();
    });
  }

  /** As many pages as are shown, from the first. */
  async #loadPages(signal: AbortSignal): Promise<void> {
    const { filter } = this.store.getState();
    const sessions: SessionSummary[] = [];
    let cursor: string | null = null;
    do {
      const limit = Math.min(MOST_PER_REQUEST, this.#wanted - sessions.length);
      const page = await this.#options.api.list({ ...filter, limit, ...(cursor === null ? {} : { cursor }) }, signal);
      if (signal.aborted) return;
      if (!page.ok) {
        this.store.setState({ status: "failed", failure: page, loading_more: false });
        return;
      }
      sessions.push(...page.value.sessions);
      cursor = page.value.sessions.length === 0 ? null : page.value.next_cursor;
    } while (cursor !== null && sessions.length < this.#wanted);
    const { sessions: before } = this.store.getState();
    this.store.setState({ sessions: sameRows(before, sessions), status: "ready", failure: null, has_more: cursor !== null, loading_more: false });
  }
}

/** The new rows, each that says the same as before by its old reference; all by theirs, the old list. */
function sameRows(before: readonly SessionSummary[], after: readonly SessionSummary[]): readonly SessionSummary[] {
  const known = new Map(before.map((row) => [row.session_id, row]));
  const rows = after.map((row) => {
    const old = known.get(row.session_id);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(row) ? old : row;
  });
  return rows.length === before.length && rows.every((row, index) => row === before[index]) ? before : rows;
}
