/**
 * The models that a provider lists itself, asked for within `LIST_TIMEOUT_MS`. A provider that does
 * not answer, or has no list, keeps what is known without asking, and a reason says so; it may still
 * be used.
 */
import { z } from "zod";
import { parseJson } from "./provider-error";
import { knownModel, type KnownModel } from "./provider-catalog";
import { createProviderFetch } from "./provider-fetch";
import { failureOfHttp, failureOfTransport } from "./provider-failure";
import type { ProviderDefinition } from "./provider-settings";
import { readText } from "./read-text";
import { findTransportError } from "./transport-error";

export interface ModelListing {
  readonly models: readonly KnownModel[];
  /** Why the provider's own list is missing, else null. */
  readonly reason: string | null;
}

const LIST_TIMEOUT_MS = 1_500;
const LARGEST_LIST = 8 * 1024 * 1024;
const MOST_MODELS = 2_000;

const tokens = z.number().int().positive().nullish().catch(null);
const text = z.string().nullish().catch(null);
const openaiListSchema = z.looseObject({
  data: z.array(z.looseObject({ id: text, name: text, context_length: tokens, max_model_len: tokens, max_context_length: tokens }).nullable().catch(null)),
});
const ollamaListSchema = z.looseObject({ models: z.array(z.looseObject({ name: text, model: text }).nullable().catch(null)) });

/** What the provider lists, after what is known of it already. Never rejects; aborts end it early. */
export async function listRemoteModels(definition: ProviderDefinition, signal: AbortSignal): Promise<ModelListing> {
  if (definition.listing === "none" || definition.base_url === null) return { models: definition.models, reason: null };
  const url = definition.listing === "ollama" ? `${definition.base_url.replace(/\/v1$/, "")}/api/tags` : `${definition.base_url}/models`;
  const answer = await ask(url, definition, AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]));
  if (answer.text === null) return { models: definition.models, reason: answer.reason };
  const listed = readList(definition, parseJson(answer.text));
  if (listed === null) return { models: definition.models, reason: "The provider has no readable list of models." };
  const known = definition.models.filter((model) => !listed.some((other) => other.id === model.id && model.context_window === null));
  return { models: [...known, ...listed.filter((model) => !known.some((other) => other.id === model.id))], reason: null };
}

type Asked = { readonly text: string; readonly reason: null } | { readonly text: null; readonly reason: string };

async function ask(url: string, definition: ProviderDefinition, signal: AbortSignal): Promise<Asked> {
  const limits = { connect_timeout_ms: LIST_TIMEOUT_MS, first_byte_timeout_ms: LIST_TIMEOUT_MS, idle_timeout_ms: LIST_TIMEOUT_MS };
  const secrets = definition.api_key === null ? [] : [definition.api_key];
  const headers = new Headers(definition.api_key === null ? [] : [["authorization", `Bearer ${definition.api_key}`]]);
  try {
    const response = await createProviderFetch(limits)(url, { headers, signal });
    const body = await readText(response, LARGEST_LIST);
    if (response.ok) return { text: body, reason: null };
    return { text: null, reason: failureOfHttp(response.status, response.headers, body, secrets, Date.now()).message };
  } catch (error) {
    const broken = findTransportError(error);
    if (broken === null) throw error;
    return { text: null, reason: broken.kind === "aborted" ? "The provider did not list its models in time." : failureOfTransport(broken, secrets).message };
  }
}

function readList(definition: ProviderDefinition, value: unknown): readonly KnownModel[] | null {
  const listed = definition.listing === "ollama" ? readOllama(value) : readOpenai(value);
  if (listed === null) return null;
  return listed
    .filter((model) => !/embed/i.test(model.id))
    .slice(0, MOST_MODELS)
    .map((model) => ({ ...knownModel(definition.kind, model.id, model.window), name: model.name }));
}

interface ListedModel {
  readonly id: string;
  readonly name: string;
  readonly window: number | null;
}

function readOpenai(value: unknown): readonly ListedModel[] | null {
  const parsed = openaiListSchema.safeParse(value);
  if (!parsed.success) return null;
  return parsed.data.data.flatMap((model) => {
    const window = model?.context_length ?? model?.max_model_len ?? model?.max_context_length ?? null;
    return model?.id ? [{ id: model.id, name: model.name || model.id, window }] : [];
  });
}

function readOllama(value: unknown): readonly ListedModel[] | null {
  const parsed = ollamaListSchema.safeParse(value);
  if (!parsed.success) return null;
  return parsed.data.models.flatMap((model) => {
    const id = model?.name || model?.model;
    return id ? [{ id, name: id, window: null }] : [];
  });
}
