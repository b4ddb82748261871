/**
 * The door of this room: which providers and models a profile has, the model for a run, and the
 * secrets of providers. Nothing is kept between calls: settings may change at any moment, and no
 * profile sees another's. Resolving a named model asks nobody; only listing, or a provider that was
 * named without a model and has none configured, asks the provider itself, within 1.5 s.
 */
import { chooseModel, hasProvider, type ModelPick, type ModelRefusal } from "./choose-model";
import type { LoadImage, ModelPort } from "./model-port";
import { BUILT_IN_PROVIDERS, knownModel, PROVIDER_CATALOG, type KnownModel } from "./provider-catalog";
import { DEFAULT_TRANSPORT_LIMITS, type TransportLimits } from "./provider-fetch";
import { createProviderPort } from "./provider-port";
import { readProfileModelConfig } from "./profile-model-config";
import { readModelSettings, readSetting, type ModelSource, type ProviderDefinition } from "./provider-settings";
import { listRemoteModels, type ModelListing } from "./remote-models";

export interface ListedProvider {
  readonly id: string;
  readonly name: string;
  readonly available: boolean;
  /** Why it cannot be used, or why its own list is missing. */
  readonly reason?: string;
  readonly models: readonly KnownModel[];
}

export interface ProviderListing {
  readonly providers: readonly ListedProvider[];
  readonly default: { readonly provider: string; readonly model: string | null };
}

export type ModelResolution =
  | { readonly ok: true; readonly provider: string; readonly model: string; readonly context_window: number | null; readonly images: boolean; readonly port: ModelPort }
  | ModelRefusal;

export interface ResolveOptions {
  readonly load_image: LoadImage;
  readonly signal: AbortSignal;
  /** For tests; `DEFAULT_TRANSPORT_LIMITS` otherwise. */
  readonly limits?: TransportLimits;
}

/** Everything that `GET /api/models` tells. Never rejects; takes at most about 1.5 s. */
export async function listProviders(source: ModelSource, signal: AbortSignal): Promise<ProviderListing> {
  const settings = readModelSettings(source);
  const providers = await Promise.all(settings.providers.map((definition) => listProvider(definition, signal)));
  const choice = chooseModel(settings, {});
  if (!choice.ok) {
    const { provider, model } = settings.chosen;
    return { providers, default: { provider: provider ?? "demo", model } };
  }
  const listed = providers.find((provider) => provider.id === choice.definition.id);
  return { providers, default: { provider: choice.definition.id, model: choice.model ?? listed?.models[0]?.id ?? null } };
}

/** Whether a provider is called so, usable or not. Asks nobody. */
export function knowsProvider(source: ModelSource, provider: string): boolean {
  return hasProvider(readModelSettings(source), provider);
}

/** The provider, exact model id and port for a run. What cannot be used is told, not thrown. */
export async function resolveModel(source: ModelSource, pick: ModelPick, options: ResolveOptions): Promise<ModelResolution> {
  const choice = chooseModel(readModelSettings(source), pick);
  if (!choice.ok) return choice;
  const { definition } = choice;
  const listing: ModelListing = choice.model === null ? await listRemoteModels(definition, options.signal) : { models: definition.models, reason: null };
  const model = choice.model ?? listing.models[0]?.id;
  if (model === undefined) {
    const why = listing.reason ?? "It lists none.";
    return { ok: false, code: "provider_unreachable", message: `No model of ${definition.id} is named or known. ${why}` };
  }
  const known = listing.models.find((entry) => entry.id === model) ?? knownModel(definition.kind, model);
  const port = createProviderPort(definition, { load_image: options.load_image, limits: options.limits ?? DEFAULT_TRANSPORT_LIMITS });
  return { ok: true, provider: definition.id, model, context_window: known.context_window, images: known.supports.images, port };
}

/** Words that people write where a local server wants any key at all: they stand in ordinary text. */
const PLACEHOLDER_KEYS: ReadonlySet<string> = new Set(
  ["none", "null", "empty", "ollama", "lmstudio", "lm-studio", "not-needed", "no-key-required", "dummy", "local"],
);
const KEY_VARIABLES = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY", "HERMES_MODEL_API_KEY"];

/** Every key of every provider of this source, used or not: values that must be redacted. */
export function providerSecrets(source: ModelSource): string[] {
  const config = readProfileModelConfig(source.config);
  const configured = [config, ...config.providers].flatMap((entry) => [entry.api_key, readSetting(source, entry.key_variable)]);
  const keys = [...KEY_VARIABLES.map((name) => readSetting(source, name)), ...configured];
  return [...new Set(keys.filter((key) => key !== null && !PLACEHOLDER_KEYS.has(key.toLowerCase())))].filter((key) => key !== null);
}

/** What a provider is set up by: variables of a profile's `.env` or of the server's environment. */
export interface ProviderVariable {
  readonly name: string;
  readonly provider: string;
  /** `key` is a secret; `address` and `model` are not. */
  readonly kind: "key" | "address" | "model";
}

/** In the catalogue's order; the demo model needs none. */
export function providerVariables(): readonly ProviderVariable[] {
  return BUILT_IN_PROVIDERS.flatMap((provider): readonly ProviderVariable[] => {
    const { needs } = PROVIDER_CATALOG[provider];
    if (needs.kind === "nothing") return [];
    if (needs.kind === "key") return [{ name: needs.variable, provider, kind: "key" }];
    if (needs.kind === "host") return [{ name: needs.variable, provider, kind: "address" }];
    return [
      { name: "HERMES_MODEL_BASE_URL", provider, kind: "address" },
      { name: "HERMES_MODEL_API_KEY", provider, kind: "key" },
      { name: "HERMES_MODEL", provider, kind: "model" },
    ];
  });
}

async function listProvider(definition: ProviderDefinition, signal: AbortSignal): Promise<ListedProvider> {
  const { id, name } = definition;
  if (definition.unavailable !== null) return { id, name, available: false, reason: definition.unavailable, models: [] };
  const { models, reason } = await listRemoteModels(definition, signal);
  return { id, name, available: true, ...(reason === null ? {} : { reason }), models };
}
