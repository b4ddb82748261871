import { describe, expect, test } from "vitest";
import { Guards, type GuardSettings } from "./guards";
import { Peers } from "./peers";

const LOCAL: GuardSettings = { host: "127.0.0.1", allowedHosts: [], password: null, trustedProxies: [] };
const PUBLIC: GuardSettings = { ...LOCAL, host: "0.0.0.0", password: "secret" };

function allows(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
const host = (settings: GuardSettings, name: string): boolean => allows(() => new Guards(settings).checkHost(new Headers({ host: name })));
const origin = (headers: Record<string, string>, settings = LOCAL): boolean => allows(() => new Guards(settings).checkOrigin(new Headers(headers)));
const peer = (settings: GuardSettings, address: string | null): boolean =>
  allows(() => new Guards(settings).checkPeer(address === null ? null : { address, connection: 1, request: 1 }));

describe("B238: the host that a browser believes it talks to", () => {
  test.each(["localhost", "localhost:8787", "LOCALHOST:1", "127.0.0.1:8787", "[::1]:8787", "127.0.0.1"])("%s is this server", (name) => {
    expect(host(LOCAL, name)).toBe(true);
  });
  test.each(["evil.test", "evil.test:8787", "EVIL.test", "evil.test.", "localhost.evil.test", "localhost.", "127.0.0.1.evil.test", "", "a b", "127.0.0.1:80:80", "user@localhost", "10.0.0.5:8787"])(
    "%s is not",
    (name) => {
      expect(host(LOCAL, name)).toBe(false);
    },
  );
  test("configured names and, bound beyond loopback, addresses are", () => {
    expect(host({ ...LOCAL, allowedHosts: ["desk.example"] }, "Desk.Example:443")).toBe(true);
    expect(host({ ...LOCAL, host: "box.lan" }, "box.lan:8787")).toBe(true);
    expect([host(PUBLIC, "10.0.0.5:8787"), host(PUBLIC, "[fd00::1]:8787"), host(PUBLIC, "evil.test")]).toEqual([true, true, false]);
    expect(allows(() => new Guards(LOCAL).checkHost(new Headers()))).toBe(false);
  });
});

describe("B236: the page that a change comes from", () => {
  test("our own pages, and clients that are no browser", () => {
    expect(origin({ host: "127.0.0.1:8787" })).toBe(true);
    expect(origin({ host: "127.0.0.1:8787", origin: "http://127.0.0.1:8787", "sec-fetch-site": "same-origin" })).toBe(true);
    expect(origin({ host: "127.0.0.1:8787", "sec-fetch-site": "none" })).toBe(true);
    expect(origin({ host: "inner:1", origin: "https://desk.example" }, { ...LOCAL, allowedHosts: ["desk.example"] })).toBe(true);
  });
  const others: readonly Readonly<Record<string, string>>[] = [
    { origin: "http://evil.test" },
    { origin: "http://127.0.0.1:9999" },
    { origin: "http://localhost:8787" },
    { origin: "null" },
    { origin: "garbage" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://127.0.0.1:8787", "sec-fetch-site": "cross-site" },
  ];
  test.each(others)("never another's: %o", (headers) => {
    expect(origin({ host: "127.0.0.1:8787", ...headers })).toBe(false);
  });
});

describe("the peer of the socket", () => {
  test("without a password only this machine, by its address", () => {
    expect(["127.0.0.1", "127.8.8.8", "::1"].map((address) => peer(LOCAL, address))).toEqual([true, true, true]);
    expect(["10.0.0.5", "fe80::1", null].map((address) => peer(LOCAL, address))).toEqual([false, false, false]);
    expect([peer(PUBLIC, "10.0.0.5"), peer(PUBLIC, null)]).toEqual([true, true]);
  });

  test("forwarded headers count from a trusted proxy only, read from the right", () => {
    const guards = new Guards({ ...PUBLIC, trustedProxies: ["10.0.0.0/8", "::1"] });
    const headers = new Headers({ "x-forwarded-for": "1.1.1.1, 203.0.113.7, 10.0.0.2", "x-forwarded-proto": "https" });
    const from = (address: string): unknown => guards.caller({ address, connection: 1, request: 1 }, headers);
    expect(from("10.0.0.1")).toEqual({ address: "203.0.113.7", https: true });
    expect(from("::1")).toEqual({ address: "203.0.113.7", https: true });
    expect(from("203.0.113.9")).toEqual({ address: "203.0.113.9", https: false });
    expect(guards.caller({ address: "10.0.0.1", connection: 1, request: 1 }, new Headers({ "x-forwarded-for": "garbage" }))).toEqual({ address: "10.0.0.1", https: false });
  });

  test("what a client writes into the header's name is nobody's address", () => {
    const peers = new Peers();
    expect(peers.peerOf(new Headers({ "x-peer": "1 127.0.0.1", "x-forwarded-for": "127.0.0.1" }))).toBeNull();
    expect(peers.peerOf(new Headers({ [peers.header]: "7 ::ffff:10.0.0.5 9" }))).toEqual({ address: "10.0.0.5", connection: 7, request: 9 });
    expect(new Peers().header).not.toBe(peers.header);
  });
});
