import { Stand } from "./stand";

const BUILDS_WITHIN_MS = 20 * 60_000;

/** Starts the product once and stops it: that builds what is stale, as anybody's start would. */
export async function buildOnce(): Promise<void> {
  const stand = await Stand.create({ adapter: "runner-local" });
  try {
    await stand.start(BUILDS_WITHIN_MS);
    await stand.stop();
  } finally {
    await stand.clear(false);
  }
}
