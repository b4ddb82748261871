/** The page's client, given to components by context. */
import { createContext, useContext } from "react";
import type { Client } from "./client";

export const ClientContext = createContext<Client | null>(null);

/** The client of the page; a component outside of `ClientContext` is a mistake and throws. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("This component needs a ClientContext around it.");
  return client;
}
