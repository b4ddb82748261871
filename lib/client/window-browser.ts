/** The browser port over a real window. Only made in a browser; nothing here runs on a server. */
import type { Browser, Cancel, ChannelPort, Clock, KeepPort, LockPort, PageSignal } from "./browser";

/** A tab that is not painted (covered, minimised) still takes its events in. */
const LATE_FRAME_MS = 250;
const HIDDEN_FRAME_MS = 100;

export function createWindowBrowser(page: Window & typeof globalThis): Browser {
  const clock: Clock = {
    now: () => Date.now(),
    after(milliseconds, action) {
      const timer = page.setTimeout(action, milliseconds);
      return () => page.clearTimeout(timer);
    },
  };
  const isVisible = () => page.document.visibilityState === "visible";
  return {
    fetch: (input, init) => page.fetch(input, init),
    createUploadRequest: () => new page.XMLHttpRequest(),
    clock,
    random: () => Math.random(),
    locks: locksOf(page),
    openChannel: typeof page.BroadcastChannel === "undefined" ? null : (name, onMessage) => openChannel(page, name, onMessage),
    keep: createKeep(page),
    isVisible,
    onPageSignal: (listener) => onPageSignal(page, listener),
    onNextFrame: (action) => onNextFrame(page, clock, isVisible(), action),
  };
}

/** Browsers give locks to secure pages only. */
function locksOf(page: Window): LockPort | null {
  if (!page.isSecureContext || page.navigator.locks === undefined) return null;
  const { locks } = page.navigator;
  return { request: (name, options, held) => locks.request(name, options, held) };
}

function openChannel(page: Window & typeof globalThis, name: string, onMessage: (message: unknown) => void): ChannelPort {
  const channel = new page.BroadcastChannel(name);
  channel.addEventListener("message", (event: MessageEvent<unknown>) => onMessage(event.data));
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
}

/** Storage may be forbidden or full; then what is kept is lost with the page, and nothing else. */
function createKeep(page: Window): KeepPort {
  const attempt = <T>(action: () => T, otherwise: T): T => {
    try {
      return action();
    } catch {
      // Every access can throw (private windows, quotas), and there is nothing better to do than without.
      return otherwise;
    }
  };
  return {
    read: (key) => attempt(() => page.localStorage.getItem(key), null),
    write: (key, value) => attempt(() => page.localStorage.setItem(key, value), undefined),
    remove: (key) => attempt(() => page.localStorage.removeItem(key), undefined),
    keys: () => attempt(() => Object.keys(page.localStorage), []),
  };
}

function onPageSignal(page: Window, listener: (signal: PageSignal) => void): Cancel {
  const stop = new AbortController();
  const { signal } = stop;
  page.document.addEventListener("visibilitychange", () => listener(page.document.visibilityState === "visible" ? "shown" : "hidden"), { signal });
  page.document.addEventListener("freeze", () => listener("frozen"), { signal });
  page.document.addEventListener("resume", () => listener("thawed"), { signal });
  page.addEventListener("pagehide", () => listener("frozen"), { signal });
  page.addEventListener("pageshow", (event) => event.persisted && listener("thawed"), { signal });
  page.addEventListener("online", () => listener("woken"), { signal });
  return () => stop.abort();
}

function onNextFrame(page: Window, clock: Clock, visible: boolean, action: () => void): Cancel {
  let cancelTimer: Cancel = () => undefined;
  let frame = 0;
  const cancel = () => {
    cancelTimer();
    page.cancelAnimationFrame(frame);
  };
  const run = () => {
    cancel();
    action();
  };
  cancelTimer = clock.after(visible ? LATE_FRAME_MS : HIDDEN_FRAME_MS, run);
  if (visible) frame = page.requestAnimationFrame(run);
  return cancel;
}
