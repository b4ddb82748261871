/** The product for benches: the stand of the trials with the stamped model behind it, and runs in it. */
import { Product, type Started } from "../trials/product";
import { Stand, type AdapterChoice } from "../trials/stand";

export interface BenchProduct {
  readonly stand: Stand;
  readonly product: Product;
  streamOf(started: Started): string;
}

/** Started on a state directory of its own, after `prepare`. */
export async function startProduct(adapter: AdapterChoice, modelUrl: string, prepare?: (stand: Stand) => Promise<void>): Promise<BenchProduct> {
  const env = { HERMES_MODEL_PROVIDER: "openai-compatible", HERMES_MODEL: "stamped", HERMES_MODEL_BASE_URL: modelUrl, HERMES_MODEL_API_KEY: "a-key-of-the-bench", HERMES_MAX_CONCURRENT_RUNS: "64" };
  const stand = await Stand.create({ adapter, env });
  try {
    await prepare?.(stand);
    await stand.start();
  } catch (error) {
    await stand.clear(false);
    throw error;
  }
  return { stand, product: new Product(stand.url, stand.folder), streamOf: ({ stream_id }) => `${stand.url}/api/chat/stream?stream_id=${stream_id}` };
}
