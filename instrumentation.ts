/** Next calls this once before it serves. It is compiled for the edge as well, where nothing of ours runs. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startWebProcess } = await import("./instrumentation-node");
  await startWebProcess();
}
