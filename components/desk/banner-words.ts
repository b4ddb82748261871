/** What the connection banner says (total over the connection's states). */
import type { ConnectionState } from "#client/link-machine";
import { countOf } from "../words/count-words";
import { runnerWords, type RunnerTrouble } from "../words/runner-words";
import { wholeDurationWords } from "../words/time-words";

export interface BannerWords {
  readonly text: string;
  /** Nothing to show, only to be found by those who listen for it. */
  readonly quiet: boolean;
}

/** `now` in Unix seconds; the connection's own times are milliseconds. What the connection has to say comes first. */
export function bannerWords(state: ConnectionState, runnerTrouble: RunnerTrouble | null, now: number): BannerWords {
  const connection = connectionWords(state, now);
  if (!connection.quiet || runnerTrouble === null) return connection;
  return { text: `${runnerWords(runnerTrouble)} What you send is kept.`, quiet: false };
}

function connectionWords(state: ConnectionState, now: number): BannerWords {
  switch (state.kind) {
    case "idle":
      return { text: "Nothing to listen for", quiet: true };
    case "live":
      return { text: "Connected", quiet: true };
    case "connecting":
      return { text: state.quiet ? "Connecting" : "Connection lost. The agent goes on; trying again now.", quiet: state.quiet };
    case "lost": {
      const left = Math.max(0, Math.ceil(state.retry_at / 1000 - now));
      return { text: `Connection lost. The agent goes on; trying again ${left === 0 ? "now" : `in ${wholeDurationWords(left)}`}.`, quiet: false };
    }
    case "catching_up":
      return { text: state.count === 0 ? "Back again, catching up." : `Back again, catching up: ${countOf(state.count, "event")}.`, quiet: false };
    case "unauthorized":
      return { text: "You were logged out. What you wrote is kept.", quiet: false };
  }
}
