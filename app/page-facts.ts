/** What a page needs of its server at once. Who may see pages is decided before they are rendered. */
import { serverOfProcess } from "#server/process-slot";

export interface PageFacts {
  readonly basePath: string;
  readonly workspace: string;
  readonly hasPassword: boolean;
}

export async function pageFacts(): Promise<PageFacts> {
  const { settings } = await serverOfProcess();
  const { basePath, workspace, password } = settings;
  return { basePath, workspace, hasPassword: password !== null };
}
