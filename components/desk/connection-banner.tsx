import { LogIn, PlugZap, Power } from "lucide-react";
import type { ReactNode } from "react";
import type { ConnectionState } from "#client/link-machine";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { Ring } from "../look/ring";
import { useNow } from "../look/use-now";
import type { RunnerTrouble } from "../words/runner-words";
import { bannerWords } from "./banner-words";

interface ConnectionBannerProps {
  readonly state: ConnectionState;
  readonly runnerTrouble: RunnerTrouble | null;
  readonly onTryNow: () => void;
  readonly onLogin: () => void;
}

/** Lies over the conversation while there is something to say; otherwise it is only heard. */
export function ConnectionBanner({ state, runnerTrouble, onTryNow, onLogin }: ConnectionBannerProps) {
  const lost = state.kind === "lost";
  const now = useNow(lost);
  const words = bannerWords(state, runnerTrouble, now);
  if (words.quiet) {
    return (
      <div role="status" aria-label="Connection" className="sr-only">
        {words.text}
      </div>
    );
  }
  return (
    <div className="pointer-events-none absolute inset-x-0 top-13 z-20 px-4 pt-1 phone:px-2">
      <div
        role="status"
        aria-label="Connection"
        data-edge=""
        className="pointer-events-auto mx-auto flex min-h-10 max-w-[calc(var(--measure)+2*var(--hang))] items-center gap-2.5 rounded-[10px] bg-fill py-1.5 pr-1 pl-3 text-13 leading-[1.125rem] shadow-lift"
      >
        <span className="text-muted">{MARKS[state.kind] ?? <Icon of={Power} size={14} />}</span>
        <span className="flex-1 tabular">{words.text}</span>
        {lost ? (
          <Button kind="bare" onClick={onTryNow}>
            Try now
          </Button>
        ) : null}
        {state.kind === "unauthorized" ? (
          <Button kind="bare" onClick={onLogin}>
            Log in
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const MARKS: Readonly<Record<ConnectionState["kind"], ReactNode>> = {
  idle: null,
  live: null,
  connecting: <Ring />,
  lost: <Icon of={PlugZap} size={14} />,
  catching_up: <Ring />,
  unauthorized: <Icon of={LogIn} size={14} />,
};
