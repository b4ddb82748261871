import { DeskPage } from "#components/desk/desk-page";
import { pageFacts } from "./page-facts";

export default async function FrontPage() {
  return <DeskPage {...await pageFacts()} />;
}
