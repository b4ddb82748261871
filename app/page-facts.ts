/** What a page needs of its server, and the way to the login for those who have not logged in. */
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { serverOfProcess } from "#server/process-slot";

export interface PageFacts {
  readonly basePath: string;
  readonly workspace: string;
  readonly hasPassword: boolean;
}

/** `path`: where the visitor wants to go, below the base path. Throws Next's own redirect. */
export async function pageFacts(path: string): Promise<PageFacts> {
  const server = await serverOfProcess();
  if (!(await server.auth.isAllowed(await headers()))) redirect(`/login?next=${encodeURIComponent(path)}`);
  const { basePath, workspace, password } = server.settings;
  return { basePath, workspace, hasPassword: password !== null };
}
