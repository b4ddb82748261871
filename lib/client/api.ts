/**
 * All requests of the page, in one place that knows addresses and shapes. Every call answers an
 * `ApiResult` and is bounded in time; none throws.
 */
import { createChatApi, type ChatApi } from "./chat-api";
import { createFileApi, type FileApi } from "./file-api";
import { createHttpClient, type Fetch } from "./http-client";
import { createProfileApi, type ProfileApi } from "./profile-api";
import { createSessionApi, type SessionApi } from "./session-api";
import { createSetupApi, type SetupApi } from "./setup-api";
import type { CreateUploadRequest } from "./upload-attachment";

export interface Api {
  readonly chat: ChatApi;
  readonly sessions: SessionApi;
  readonly setup: SetupApi;
  readonly profiles: ProfileApi;
  readonly files: FileApi;
  /** The page's event route with these subscriptions: session and the event id it goes on from (null: from the start). */
  eventsUrl(subscriptions: readonly Subscription[]): string;
}

export interface Subscription {
  readonly session_id: string;
  readonly cursor: string | null;
}

export interface ApiOptions {
  readonly basePath: string;
  readonly fetch: Fetch;
  readonly createUploadRequest: CreateUploadRequest;
}

export function createApi(options: ApiOptions): Api {
  const http = createHttpClient(options);
  return {
    chat: createChatApi(http),
    sessions: createSessionApi(http),
    setup: createSetupApi(http),
    profiles: createProfileApi(http),
    files: createFileApi(http, options.createUploadRequest),
    eventsUrl(subscriptions) {
      const search = new URLSearchParams();
      for (const { session_id, cursor } of subscriptions) search.append("s", `${session_id}~${cursor ?? ""}`);
      return http.url(`/api/events?${search.toString()}`);
    },
  };
}
