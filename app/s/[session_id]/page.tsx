import { DeskPage } from "#components/desk/desk-page";
import { pageFacts } from "../../page-facts";

/** A session's own address. Which session it is, the page reads from the address itself. */
export default async function SessionPage() {
  return <DeskPage {...await pageFacts()} />;
}
