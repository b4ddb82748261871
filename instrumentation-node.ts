/** The web process as a process: opened before the first request, closed in order by the first signal. */
import { startProcess } from "#server/web-process";
import packageFile from "./package.json";

export async function startWebProcess(): Promise<void> {
  await startProcess(packageFile.version);
}
