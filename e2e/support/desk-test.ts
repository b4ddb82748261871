/**
 * The test of every spec: one product per worker (made when first asked for), a page on it, and the
 * proof at the end that no page met an error. Tests share the product and nothing else: each has its
 * own sessions.
 */
import { expect, test as base } from "@playwright/test";
import { textReply } from "#testing/model-replies";
import { startModelServer, type ModelServer, type RecordedRequest, type Script } from "#testing/model-server";
import { z } from "zod";
import type { Api } from "./api";
import { DeskPage, watchProblems } from "./desk-page";
import { Product } from "./product";

export const SCRIPTED_MODELS = ["alpha", "beta"] as const;
/** What a session is made with so that the model server answers. */
export const SCRIPTED = { provider: "scripted", model: "alpha" } as const;

interface WorkerParts {
  readonly models: ModelServer;
  /** Supervisor, runner and web process. */
  readonly product: Product;
  /** `next start` alone. */
  readonly legacy: Product;
}
interface TestParts {
  readonly desk: DeskPage;
  readonly api: Api;
  /** What may go wrong in the page without failing the test; none unless a test says so. */
  readonly problems: readonly string[];
}

export const test = base.extend<TestParts, WorkerParts>({
  models: [
    async ({ browserName: _ }, provide) => {
      const server = await startModelServer({ models: SCRIPTED_MODELS });
      await provide(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  product: [
    async ({ models }, provide) => {
      const product = await Product.start({ mode: "runner-local", models: { url: models.url, names: SCRIPTED_MODELS } });
      await provide(product);
      await product.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  legacy: [
    async ({ models }, provide) => {
      const product = await Product.start({ mode: "web-alone", models: { url: models.url, names: SCRIPTED_MODELS } });
      await provide(product);
      await product.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  api: async ({ product }, provide) => {
    await provide(product.api);
  },
  problems: async ({ context }, provide) => {
    await provide(watchProblems(context));
  },
  desk: async ({ page, product, problems }, provide) => {
    await provide(new DeskPage(page, product.origin));
    expect(problems, "errors in the page").toEqual([]);
  },
});

const requestSchema = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });

function isAside(request: RecordedRequest): boolean {
  const parsed = requestSchema.safeParse(request.body);
  const [first] = parsed.success ? parsed.data.messages : [];
  return typeof first?.content === "string" && /^Hermes (goal judge|title|compression)/.test(first.content);
}

/** What the model was last asked in a conversation, as text. */
export function lastRequest(models: ModelServer): string {
  return JSON.stringify(models.chats.findLast((request) => !isAside(request))?.body);
}

/** A script for the conversation alone: titles, judgements and summaries are answered with `aside`. */
export function conversation(script: Script, aside = "A short title"): Script {
  let turn = 0;
  return (request) => {
    if (isAside(request)) return textReply(aside);
    turn += 1;
    return script(request, turn);
  };
}
