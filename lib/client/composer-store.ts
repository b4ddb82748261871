/**
 * Composers by session: text, attachments, uploads, and the message that is being sent.
 *
 * - Nothing is optimistic: a message is `sending` until it was accepted, and a failure gives text and
 *   attachments back (B213). Sent again unchanged it keeps its idempotency key, so an unclear failure
 *   never makes two runs (B033).
 * - A message whose answer got lost is asked for once more before it is given back: a page that is going
 *   away loses its answers too, and must not put into the box what was accepted (B279).
 * - A reload in the middle of sending sends the same message with the same key again instead of
 *   putting it back into the box (B279); after `RESEND_MS` it is given back instead.
 * - Each composer belongs to its session: what is typed in one is never found in another.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Attachment } from "#protocol/event-values";
import type { Api } from "./api";
import type { ApiFailure, ApiResult } from "./api-result";
import type { Browser, Cancel } from "./browser";
import { DraftBox, EMPTY_DRAFT, type Draft, type SendChoices, type Sending, type SendMode } from "./composer-draft";
import { sendMessage, type Accepted } from "./send-message";
import type { SessionBody } from "./session-api";
import { UploadQueue, type Upload } from "./upload-queue";

/** The composer of a session that is not made yet. */
export const NEW_SESSION = "new";

export interface Composer extends Draft {
  readonly uploads: readonly Upload[];
  /** Why the last message was not accepted; until the text is changed or sent again. */
  readonly failure: ApiFailure | null;
}

export const EMPTY_COMPOSER: Composer = { ...EMPTY_DRAFT, uploads: [], failure: null };

export interface ComposersState {
  readonly composers: Readonly<Record<string, Composer>>;
}

export interface ComposerStoreOptions {
  readonly browser: Pick<Browser, "clock" | "keep" | "onPageSignal">;
  readonly api: Api;
  readonly basePath: string;
  /** A key that no other message has. */
  readonly createKey: () => string;
}

const RESEND_MS = 10 * 60_000;
const KEEP_PAUSE_MS = 200;
const ASK_AGAIN_MS = 500;

export class ComposerStore {
  readonly store: StoreApi<ComposersState> = createStore<ComposersState>(() => ({ composers: {} }));
  readonly #options: ComposerStoreOptions;
  readonly #box: DraftBox;
  readonly #uploads: UploadQueue;
  /** Composers that this tab changed and that are not kept yet. */
  readonly #unkept = new Set<string>();
  /** Composers whose text this tab changed; what another tab typed in the others is left as it was kept. */
  readonly #edited = new Set<string>();
  /** The last message of a composer that was not accepted. */
  readonly #refused = new Map<string, Sending>();
  readonly #cancelSignals: Cancel;
  #cancelKeeping: Cancel | null = null;

  constructor(options: ComposerStoreOptions) {
    this.#options = options;
    this.#box = new DraftBox(options.browser.keep, options.basePath);
    this.#uploads = new UploadQueue({
      upload: options.api.files.upload,
      createKey: options.createKey,
      onChange: (composer, uploads) => this.#set(composer, { uploads }),
      onDone: (composer, attachment) => this.#change(composer, { attachments: [...this.get(composer).attachments, attachment] }),
    });
    this.#cancelSignals = options.browser.onPageSignal((signal) => {
      if (signal === "hidden" || signal === "frozen") this.#keepAll();
    });
  }

  get(composer: string): Composer {
    return this.store.getState().composers[composer] ?? { ...EMPTY_COMPOSER, ...this.#box.read(composer) };
  }

  /** Brings the composer of a session into the state, with what was kept of it. */
  open(composer: string): void {
    if (this.store.getState().composers[composer] === undefined) this.#set(composer, {});
  }

  setText(composer: string, text: string): void {
    this.#change(composer, { text, failure: null });
  }

  /** Puts text behind what is there, e.g. an answer whose question is over (B073). */
  appendText(composer: string, text: string): void {
    this.setText(composer, joinTexts(this.get(composer).text, text));
  }

  /** Uploads files. In the composer of a new session the session is made first; its id is in the answer, its composer has the text. */
  async addFiles(composer: string, files: readonly File[], settings: SessionBody = {}): Promise<ApiResult<{ readonly session_id: string }>> {
    let sessionId = composer;
    if (composer === NEW_SESSION) {
      const made = await this.#options.api.sessions.create(settings);
      if (!made.ok) {
        this.#set(composer, { failure: made });
        return made;
      }
      sessionId = made.value.session.session_id;
      this.#move(composer, sessionId);
    }
    for (const file of files) this.#uploads.add(sessionId, file);
    return { ok: true, value: { session_id: sessionId } };
  }

  cancelUpload(composer: string, uploadId: string): void {
    this.#uploads.cancel(composer, uploadId);
  }

  retryUpload(composer: string, uploadId: string): void {
    this.#uploads.retry(composer, uploadId);
  }

  removeAttachment(composer: string, attachmentId: string): void {
    const attachments = this.get(composer).attachments.filter((attachment) => attachment.attachment_id !== attachmentId);
    this.#change(composer, { attachments });
  }

  /** Sends what stands in the composer. Null when there is nothing to send, or a message is being sent already. */
  async send(composer: string, mode: SendMode, choices: SendChoices = {}): Promise<ApiResult<Accepted> | null> {
    const { text, attachments, sending } = this.get(composer);
    if (sending !== null || (text.trim() === "" && attachments.length === 0)) return null;
    const { browser, createKey } = this.#options;
    const message = { mode, text, attachments, choices };
    const before = this.#refused.get(composer);
    const key = before !== undefined && isSameMessage(before, message) ? before.key : createKey();
    return this.#send(composer, { ...message, key, started_at: browser.clock.now() });
  }

  /** What was being sent when the page went away goes on; what is too old for that comes back into its box. Call once. */
  resume(): void {
    for (const composer of this.#box.composers()) {
      const { sending } = this.#box.read(composer);
      if (sending === null) continue;
      const isFresh = this.#options.browser.clock.now() - sending.started_at < RESEND_MS;
      if (isFresh && sending.mode !== "command") void this.#send(composer, sending);
      else this.#giveBack(composer, sending, null);
    }
  }

  close(): void {
    this.#cancelSignals();
    this.#keepAll();
    this.#uploads.close();
  }

  async #send(composer: string, sending: Sending): Promise<ApiResult<Accepted>> {
    const isOwnText = this.get(composer).sending === null;
    this.#change(composer, isOwnText ? { text: "", attachments: [], sending, failure: null } : { sending, failure: null });
    this.#keepAll();
    const result = await this.#deliver(composer === NEW_SESSION ? null : composer, sending);
    if (result.ok) {
      this.#refused.delete(composer);
      this.#change(composer, { sending: null });
    } else {
      this.#refused.set(composer, sending);
      this.#giveBack(composer, sending, result);
    }
    this.#keepAll();
    return result;
  }

  /** A command has no key, so it is never repeated. */
  async #deliver(sessionId: string | null, sending: Sending): Promise<ApiResult<Accepted>> {
    const { api, browser } = this.#options;
    const result = await sendMessage(api, sessionId, sending);
    if (result.ok || result.code !== "unreachable" || sending.mode === "command") return result;
    await new Promise<void>((resolve) => browser.clock.after(ASK_AGAIN_MS, resolve));
    return sendMessage(api, sessionId, sending);
  }

  /** What was typed meanwhile stays behind it. */
  #giveBack(composer: string, sending: Sending, failure: ApiFailure | null): void {
    const now = this.get(composer);
    const attachments = mergeAttachments(sending.attachments, now.attachments);
    this.#change(composer, { text: joinTexts(sending.text, now.text), attachments, sending: null, failure });
  }

  /** The page may have opened the new session first: what was typed there stays, behind what comes. */
  #move(from: string, to: string): void {
    const { text, attachments } = this.get(from);
    const there = this.get(to);
    this.#change(to, { text: joinTexts(text, there.text), attachments: mergeAttachments(attachments, there.attachments) });
    this.#change(from, { text: "", attachments: [], failure: null });
  }

  #change(composer: string, changes: Partial<Composer>): void {
    this.#set(composer, changes);
    this.#unkept.add(composer);
    if (changes.text !== undefined || changes.attachments !== undefined) this.#edited.add(composer);
    this.#cancelKeeping ??= this.#options.browser.clock.after(KEEP_PAUSE_MS, () => this.#keepAll());
  }

  #set(composer: string, changes: Partial<Composer>): void {
    const { composers } = this.store.getState();
    this.store.setState({ composers: { ...composers, [composer]: { ...this.get(composer), ...changes } } });
  }

  #keepAll(): void {
    this.#cancelKeeping?.();
    this.#cancelKeeping = null;
    for (const composer of this.#unkept) {
      const { sending } = this.get(composer);
      const { text, attachments } = this.#edited.has(composer) ? this.get(composer) : this.#box.read(composer);
      this.#box.write(composer, { text, attachments, sending });
    }
    this.#unkept.clear();
  }
}

function joinTexts(first: string, second: string): string {
  if (first === "" || second === "") return first + second;
  return `${first}\n\n${second}`;
}

function mergeAttachments(first: readonly Attachment[], second: readonly Attachment[]): Attachment[] {
  const ids = new Set(first.map((attachment) => attachment.attachment_id));
  return [...first, ...second.filter((attachment) => !ids.has(attachment.attachment_id))];
}

function isSameMessage(before: Sending, now: Omit<Sending, "key" | "started_at">): boolean {
  const { mode, text, attachments, choices } = before;
  return JSON.stringify({ mode, text, attachments, choices }) === JSON.stringify(now);
}
