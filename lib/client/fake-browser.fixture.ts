/**
 * A browser with several tabs, for tests: locks, channels and storage are shared by its tabs, the
 * network is real, and the clock runs ten times as fast as the real one.
 */
import type { Browser, ChannelPort, KeepPort, LockPort, PageSignal } from "./browser";
import type { CreateUploadRequest, UploadRequest } from "./upload-attachment";

const SPEED = 10;

interface Hold {
  readonly release: () => void;
  readonly reject: (reason: Error) => void;
}

class FakeLocks implements LockPort {
  #holder: Hold | null = null;
  #line: (() => void)[] = [];

  request(_name: string, options: { readonly steal?: boolean; readonly signal?: AbortSignal }, held: () => Promise<void>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const take = () => {
        const hold: Hold = { release: () => undefined, reject };
        this.#holder = hold;
        void held().then(() => {
          resolve(undefined);
          if (this.#holder === hold) this.#next();
        });
      };
      if (options.steal === true) {
        this.#holder?.reject(new Error("stolen"));
        take();
      } else if (this.#holder === null) {
        queueMicrotask(take);
        this.#holder = { release: () => undefined, reject };
      } else {
        this.#line.push(take);
        options.signal?.addEventListener("abort", () => {
          this.#line = this.#line.filter((waiting) => waiting !== take);
          reject(new Error("aborted"));
        });
      }
    });
  }

  #next(): void {
    this.#holder = null;
    this.#line.shift()?.();
  }
}

export class FakeTab implements Browser {
  readonly clock = {
    now: () => Date.now() * SPEED,
    after: (milliseconds: number, action: () => void) => {
      const timer = setTimeout(() => this.#whenThawed(action), milliseconds / SPEED);
      return () => clearTimeout(timer);
    },
  };
  readonly random = () => 0.5;
  readonly keep: KeepPort;
  readonly locks: LockPort | null;
  readonly openChannel: Browser["openChannel"];
  readonly createUploadRequest: CreateUploadRequest;
  readonly #origin: string;
  readonly #listeners = new Set<(signal: PageSignal) => void>();
  #visible = true;
  #frozen: (() => void)[] | null = null;

  constructor(origin: string, profile: FakeBrowserProfile, secure: boolean) {
    this.#origin = origin;
    this.keep = profile.keep;
    this.locks = secure ? profile.locks : null;
    this.openChannel = secure ? (name, onMessage) => profile.join(name, (message) => this.#whenThawed(() => onMessage(message))) : null;
    this.createUploadRequest = () => createFetchUpload(origin);
  }

  /** The network's bytes wait, too, while the page is frozen. */
  fetch = async (input: string, init?: RequestInit): Promise<Response> => {
    const { body, status, headers } = await fetch(`${this.#origin}${input}`, init);
    const thawed = () => new Promise<void>((resolve) => this.#whenThawed(resolve));
    await thawed();
    const gate = new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, controller) {
        await thawed();
        controller.enqueue(piece);
      },
    });
    return new Response(body?.pipeThrough(gate) ?? null, { status, headers });
  };

  isVisible(): boolean {
    return this.#visible;
  }

  onPageSignal(listener: (signal: PageSignal) => void) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onNextFrame(action: () => void) {
    const timer = setTimeout(() => this.#whenThawed(action), 2);
    return () => clearTimeout(timer);
  }

  show(visible: boolean): void {
    this.#visible = visible;
    this.signal(visible ? "shown" : "hidden");
  }

  signal(signal: PageSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }

  /** Stops without a word, as a page that the browser froze: timers and messages wait. */
  freeze(): void {
    this.#frozen ??= [];
  }

  thaw(): void {
    const late = this.#frozen ?? [];
    this.#frozen = null;
    for (const action of late) action();
  }

  #whenThawed(action: () => void): void {
    if (this.#frozen === null) action();
    else this.#frozen.push(action);
  }
}

export class FakeBrowserProfile {
  readonly locks = new FakeLocks();
  readonly keep: KeepPort;
  readonly #kept = new Map<string, string>();
  readonly #members = new Map<string, Set<(message: unknown) => void>>();

  constructor() {
    this.keep = {
      read: (key) => this.#kept.get(key) ?? null,
      write: (key, value) => void this.#kept.set(key, value),
      remove: (key) => void this.#kept.delete(key),
      keys: () => [...this.#kept.keys()],
    };
  }

  openTab(origin: string, options: { readonly secure?: boolean } = {}): FakeTab {
    return new FakeTab(origin, this, options.secure ?? true);
  }

  join(name: string, onMessage: (message: unknown) => void): ChannelPort {
    const members = this.#members.get(name) ?? new Set();
    this.#members.set(name, members);
    members.add(onMessage);
    return {
      post: (message) => {
        const copy: unknown = structuredClone(message);
        for (const member of members) if (member !== onMessage) setImmediate(() => members.has(member) && member(copy));
      },
      close: () => void members.delete(onMessage),
    };
  }
}

/** The upload's port over fetch: one step of progress, the rest as the real one. */
function createFetchUpload(origin: string): UploadRequest {
  const stop = new AbortController();
  let address = "";
  const request: UploadRequest = {
    open: (_method: string, url: string | URL) => void (address = `${origin}${url.toString()}`),
    abort: () => stop.abort(),
    timeout: 0,
    status: 0,
    responseText: "",
    onload: null,
    onerror: null,
    onabort: null,
    ontimeout: null,
    upload: { onprogress: null },
    send: (body) => void send(body),
  };
  const send = async (body: unknown) => {
    const done = (event: "load" | "error" | "abort") => new Event(event);
    if (!(body instanceof FormData)) return;
    try {
      const response = await fetch(address, { method: "POST", body, signal: stop.signal });
      Object.assign(request, { status: response.status, responseText: await response.text() });
      Reflect.apply(request.onload ?? noop, request, [done("load")]);
    } catch {
      // The network's two ways to fail, told apart as the real one does.
      Reflect.apply((stop.signal.aborted ? request.onabort : request.onerror) ?? noop, request, [done("error")]);
    }
  };
  return request;
}

function noop(): void {
  // Nobody listens.
}
