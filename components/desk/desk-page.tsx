import { cookies } from "next/headers";
import { Desk } from "./desk";
import type { DeskFacts } from "./desk-context";
import { LOOK_COOKIE, readLook } from "./look";

/** The desk as a page: what this browser likes is read on the server, so that the first paint has it. */
export async function DeskPage(facts: Omit<DeskFacts, "look">) {
  return <Desk {...facts} look={readLook((await cookies()).get(LOOK_COOKIE)?.value)} />;
}
