import type { ReactNode } from "react";
import { useClient } from "#client/context";
import { useConnection } from "#client/use-connection";
import { ConnectionBanner } from "./connection-banner";
import { useDesk } from "./desk-context";

/** The conversation's column: what the connection has to say lies over it and moves nothing. */
export function MainColumn({ children }: { readonly children: ReactNode }) {
  const client = useClient();
  const desk = useDesk();
  const state = useConnection();
  return (
    <main className="relative flex min-w-0 flex-1 flex-col bg-paper">
      {children}
      <ConnectionBanner state={state} runnerIsThere={desk.runnerIsThere} onTryNow={client.tryNow} onLogin={desk.login} />
    </main>
  );
}
