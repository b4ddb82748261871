/**
 * Everything of this room for one page: requests, stores and the event connection, made together and
 * handed to components by context. Nothing lives at module level, so two clients never meet.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { createApi, type Api } from "./api";
import type { Browser, Cancel } from "./browser";
import { ComposerStore } from "./composer-store";
import type { ConnectionNews } from "./connection-news";
import { EventConnection } from "./event-connection";
import type { ConnectionState, LinkTiming } from "./link-machine";
import { PromptStore } from "./prompt-store";
import { SessionListStore } from "./session-list-store";
import { SessionStore } from "./session-store";

export interface Client {
  readonly api: Api;
  readonly sessions: SessionStore;
  readonly list: SessionListStore;
  readonly composers: ComposerStore;
  readonly prompts: PromptStore;
  readonly connection: StoreApi<{ readonly state: ConnectionState }>;
  /** Connects, and goes on with what was being sent; until the answer is called. May be started again. */
  start(): Cancel;
  /** The banner's "Try now". */
  tryNow(): void;
}

export interface ClientOptions {
  /** Path prefix behind a proxy, without a slash at its end; empty for none. */
  readonly basePath: string;
  readonly browser: Browser;
  /** Makes texts that are never made twice: tab names, idempotency keys. */
  readonly createKey: () => string;
  readonly timing?: LinkTiming;
}

export function createClient(options: ClientOptions): Client {
  const { basePath, browser, createKey, timing } = options;
  const api = createApi({ basePath, fetch: browser.fetch, createUploadRequest: browser.createUploadRequest });
  const connection = createStore<{ readonly state: ConnectionState }>(() => ({ state: { kind: "idle" } }));
  let events: EventConnection | null = null;
  let resumed = false;
  const sessions = new SessionStore({ browser, api: api.sessions, onWantChanged: () => events?.wantChanged() });
  const list = new SessionListStore({ browser, api: api.sessions });
  const prompts = new PromptStore({ api: api.chat, refresh: (sessionId) => sessions.refresh(sessionId) });
  const composers = new ComposerStore({ browser, api, basePath, createKey });

  const onNews = (news: readonly ConnectionNews[]) => {
    sessions.onNews(news);
    // With each new connection too: what changed while there was none was told to nobody.
    if (news.some((item) => item.kind === "sessions" || item.kind === "start" || item.kind === "stale")) list.refresh();
  };
  const onState = (state: ConnectionState) => {
    connection.setState({ state });
    if (state.kind === "live") sessions.hurry();
  };

  return {
    api,
    sessions,
    list,
    composers,
    prompts,
    connection,
    start() {
      const opened = new EventConnection({
        browser,
        eventsUrl: (subscriptions) => api.eventsUrl(subscriptions),
        basePath,
        tab: createKey(),
        want: () => sessions.want(),
        onNews,
        onState,
        ...(timing === undefined ? {} : { timing }),
      });
      events = opened;
      list.refresh();
      if (!resumed) composers.resume();
      resumed = true;
      return () => {
        opened.close();
        if (events === opened) events = null;
      };
    },
    tryNow: () => events?.tryNow(),
  };
}
