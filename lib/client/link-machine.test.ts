import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectionStateOf, LINK_OFF, LINK_TIMING, reduceLink, wakeAt, type LinkInput, type LinkState } from "./link-machine";

/** Steps through a story of [seconds, input]; chance is always the most. */
function play(story: readonly (readonly [number, LinkInput])[], from: LinkState = LINK_OFF): LinkState {
  return story.reduce((state, [seconds, input]) => reduceLink(state, input, at(seconds)), from);
}
const at = (seconds: number) => ({ now: seconds * 1000, chance: 1, timing: LINK_TIMING });
const banner = (state: LinkState, seconds: number) => connectionStateOf(state, at(seconds));

const WANT: LinkInput = { kind: "want", wanted: true };
const OPENED: LinkInput = { kind: "opened" };
const CLOSED: LinkInput = { kind: "closed", retry_after_ms: null };
const TICK: LinkInput = { kind: "tick" };
const heard = (events: number): LinkInput => ({ kind: "heard", events });

describe("the link", () => {
  it("opens when it is wanted, once, and closes when it is not", () => {
    const open = play([[0, WANT], [0, WANT], [0.1, OPENED]]);
    expect(open).toMatchObject({ kind: "open", connection: 1 });
    expect(banner(open, 0.1)).toEqual({ kind: "live" });
    expect(play([[1, { kind: "want", wanted: false }]], open)).toEqual({ kind: "off", connection: 1 });
  });

  it("says nothing for two seconds, then that it is lost and when it tries again", () => {
    const lost = play([[0, WANT], [0.1, OPENED], [20, CLOSED]]);
    expect(banner(lost, 20.1)).toEqual({ kind: "connecting", quiet: true });
    const again = play([[20.5, TICK], [20.6, CLOSED], [21.6, TICK], [21.7, CLOSED]], lost);
    expect(again).toMatchObject({ kind: "waiting", failures: 3, down_since: 20_000 });
    expect(banner(again, 22)).toEqual({ kind: "lost", retry_at: 23_700 });
  });

  it("waits longer each time, 4 s at most, and 15 s after minutes of absence", () => {
    let state = play([[0, WANT]]);
    const waits: number[] = [];
    for (let second = 1; second < 700; second += 20) {
      state = play([[second, CLOSED]], state);
      waits.push(state.kind === "waiting" ? state.retry_at - second * 1000 : Number.NaN);
      state = play([[second + 16, TICK]], state);
    }
    expect(waits.slice(0, 5)).toEqual([500, 1000, 2000, 4000, 4000]);
    expect(Math.max(...waits)).toBe(15_000);
  });

  it("a connection that breaks at once does not start the back-off anew; one that lasted does", () => {
    const flapping = play([[0, WANT], [0.1, OPENED], [0.2, CLOSED], [1, TICK], [1.1, OPENED], [1.2, CLOSED]]);
    expect(flapping).toMatchObject({ kind: "waiting", failures: 2 });
    expect(play([[3, TICK], [3.1, OPENED], [60, CLOSED]], flapping)).toMatchObject({ failures: 1 });
  });

  it("waits as long as the server asks, within bounds", () => {
    expect(play([[0, WANT], [1, { kind: "closed", retry_after_ms: 7000 }]])).toMatchObject({ retry_at: 8000 });
    expect(play([[0, WANT], [1, { kind: "closed", retry_after_ms: 3_600_000 }]])).toMatchObject({ retry_at: 16_000 });
  });

  it("B015: pings keep it alive; 30 s without a byte do not", () => {
    let state = play([[0, WANT], [0, OPENED]]);
    for (let second = 10; second <= 90; second += 10) state = play([[second, heard(0)], [second, TICK]], state);
    expect(state).toMatchObject({ kind: "open", connection: 1 });
    expect(play([[119, TICK]], state)).toBe(state);
    expect(play([[120, TICK]], state)).toMatchObject({ kind: "opening", connection: 2 });
  });

  it("gives an opening that does not answer up", () => {
    expect(play([[0, WANT], [4, TICK]])).toMatchObject({ kind: "opening" });
    expect(play([[0, WANT], [5, TICK]])).toMatchObject({ kind: "waiting", failures: 1 });
  });

  it("tries at once when poked, and does not trust a silent connection then", () => {
    const poke: LinkInput = { kind: "poke", force: false };
    expect(play([[0, WANT], [1, CLOSED], [1.1, poke]])).toMatchObject({ kind: "opening", connection: 2 });
    const open = play([[0, WANT], [0, OPENED]]);
    expect(play([[5, poke]], open)).toBe(open);
    expect(play([[13, poke]], open)).toMatchObject({ kind: "opening", connection: 2 });
    expect(play([[5, { kind: "poke", force: true }]], open)).toMatchObject({ connection: 2 });
  });

  it("makes a new connection for new subscriptions without a word on the banner", () => {
    const state = play([[0, WANT], [0, OPENED], [9, { kind: "resubscribe" }]]);
    expect(state).toMatchObject({ kind: "opening", connection: 2 });
    expect(banner(state, 9)).toEqual({ kind: "connecting", quiet: true });
    expect(banner(play([[9.1, OPENED]], state), 9.1)).toEqual({ kind: "live" });
  });

  it("counts what comes after an absence that was noticed, until it stops coming", () => {
    const back = play([[0, WANT], [0, OPENED], [10, CLOSED], [10.5, TICK], [14, OPENED], [14.1, heard(40)], [14.2, heard(2)]]);
    expect(banner(back, 14.2)).toEqual({ kind: "catching_up", count: 42 });
    expect(wakeAt(back, at(14.2))).toBe(14_500);
    expect(banner(play([[14.5, TICK]], back), 14.5)).toEqual({ kind: "live" });
  });

  it("stops at a login and goes on when poked", () => {
    const refused = play([[0, WANT], [0.1, { kind: "unauthorized" }]]);
    expect(banner(refused, 1)).toEqual({ kind: "unauthorized" });
    expect(wakeAt(refused, at(1))).toBeNull();
    expect(play([[9, { kind: "poke", force: true }]], refused)).toMatchObject({ kind: "opening" });
  });

  it("never waits without a bound, whatever happens", () => {
    const input = fc.constantFrom<LinkInput>(
      WANT,
      { kind: "want", wanted: false },
      { kind: "resubscribe" },
      OPENED,
      heard(0),
      heard(3),
      CLOSED,
      { kind: "closed", retry_after_ms: 1e9 },
      { kind: "poke", force: true },
      { kind: "poke", force: false },
      TICK,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(input, fc.nat(40_000)), { maxLength: 60 }), (story) => {
        let state: LinkState = LINK_OFF;
        let now = 0;
        for (const [what, pause] of story) {
          now += pause;
          const before = state.connection;
          state = reduceLink(state, what, { now, chance: 0.5, timing: LINK_TIMING });
          expect(state.connection - before).toBeLessThanOrEqual(1);
          const wake = wakeAt(state, { now, chance: 0.5, timing: LINK_TIMING });
          if (state.kind === "opening" || state.kind === "waiting" || state.kind === "open") expect(wake).not.toBeNull();
          if (wake !== null) expect(wake - now).toBeLessThanOrEqual(30_000);
        }
      }),
    );
  });
});
