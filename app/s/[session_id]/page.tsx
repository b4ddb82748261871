import { DeskPage } from "#components/desk/desk-page";
import { pageFacts } from "../../page-facts";

interface SessionPageProps {
  readonly params: Promise<{ readonly session_id: string }>;
}

/** A session's own address. Which session it is, the page reads from the address itself. */
export default async function SessionPage({ params }: SessionPageProps) {
  const { session_id: sessionId } = await params;
  return <DeskPage {...await pageFacts(`/s/${sessionId}`)} />;
}
