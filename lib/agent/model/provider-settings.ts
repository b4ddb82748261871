/**
 * Which providers there are for one profile, where they are, with which key, and what is the default
 * (contract 1.2, 1.3). What the profile's `config.yaml` names beats `HERMES_MODEL*`. A key goes with
 * the provider it was given for and never to another address: a base URL without a key of its own is
 * used without one. Nothing here waits or reaches out.
 */
import { readBaseUrl, readLocalHost, type ProviderAddress } from "./provider-address";
import {
  BUILT_IN_PROVIDERS,
  isBuiltInProvider,
  knownModel,
  PROVIDER_CATALOG,
  type BuiltInProvider,
  type CatalogEntry,
  type KnownModel,
  type ProviderKind,
} from "./provider-catalog";
import { readProfileModelConfig, type ConfiguredModel, type ProfileModelConfig } from "./profile-model-config";

export interface ModelSource {
  /** Process settings merged with the profile's `.env`; the profile's values win. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The parsed `config.yaml` of the profile, or null. */
  readonly config: unknown;
}

export interface ProviderDefinition {
  readonly id: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly base_url: string | null;
  readonly api_key: string | null;
  /** Why it cannot be used, else null. */
  readonly unavailable: string | null;
  /** Those that are known without asking; the first is its default. */
  readonly models: readonly KnownModel[];
  readonly listing: "none" | "openai" | "ollama";
}

export interface ModelSettings {
  readonly providers: readonly ProviderDefinition[];
  /** What is set as the default, in the words of the settings; nulls where they say nothing. */
  readonly chosen: { readonly provider: string | null; readonly model: string | null };
}

interface Override {
  readonly id: string;
  readonly base_url: string | null;
  readonly api_key: string | null;
  readonly models: readonly ConfiguredModel[];
}

const NEEDS_URL = "Set HERMES_MODEL_BASE_URL, or a provider with a base_url in the profile, to use any OpenAI-compatible server.";

export function readModelSettings(source: ModelSource): ModelSettings {
  const config = readProfileModelConfig(source.config);
  const environment = environmentChoice(source);
  const chosen = chooseDefault(config, environment);
  const definitions = new Map<string, ProviderDefinition>(BUILT_IN_PROVIDERS.map((id) => [id, builtIn(id, source)]));
  const overrides = [environmentOverride(source, environment), ...config.providers.map((entry) => toOverride(entry, source)), profileOverride(config, source)];
  for (const override of overrides) {
    if (override !== null) definitions.set(override.id, applyOverride(definitions.get(override.id), override));
  }
  return { providers: [...definitions.values()], chosen };
}

/** Our id for a provider that the settings name: `custom:name` is `name`, `custom` the nameless one. */
export function providerId(written: string): string {
  const name = written.trim().replace(/^custom:/i, "");
  const lower = name.toLowerCase();
  if (lower === "custom" || lower === "") return "openai-compatible";
  return isBuiltInProvider(lower) ? lower : name;
}

/** A setting's value, or null when it is missing or blank. */
export function readSetting(source: ModelSource, name: string | null): string | null {
  const value = name === null ? "" : (source.env[name]?.trim() ?? "");
  return value === "" ? null : value;
}

function environmentChoice(source: ModelSource): ModelSettings["chosen"] {
  const model = readSetting(source, "HERMES_MODEL");
  const provider = readSetting(source, "HERMES_MODEL_PROVIDER");
  if (provider !== null) return { provider: providerId(provider), model };
  if (readSetting(source, "HERMES_MODEL_BASE_URL") === null) return { provider: null, model };
  // A server's own id may begin with the name of some provider; only the nameless one's own prefix is one here.
  return { provider: "openai-compatible", model: model?.replace(/^openai-compatible\/(?=.)/, "") ?? null };
}

function chooseDefault(config: ProfileModelConfig, environment: ModelSettings["chosen"]): ModelSettings["chosen"] {
  const named = config.provider ?? (config.base_url === null ? null : "openai-compatible");
  if (named === null) return config.model === null ? environment : { provider: environment.provider, model: config.model };
  const provider = providerId(named);
  return { provider, model: config.model ?? (provider === environment.provider ? environment.model : null) };
}

function builtIn(id: BuiltInProvider, source: ModelSource): ProviderDefinition {
  const entry = PROVIDER_CATALOG[id];
  const given = readNeed(entry, source);
  const models = entry.models.map((model) => knownModel(entry.kind, model));
  return withUsableKey({ id, name: entry.name, kind: entry.kind, models, listing: entry.listing, ...given });
}

function readNeed(entry: CatalogEntry, source: ModelSource): Pick<ProviderDefinition, "base_url" | "api_key" | "unavailable"> {
  const { needs, base_url } = entry;
  if (needs.kind === "nothing") return { base_url, api_key: null, unavailable: null };
  if (needs.kind === "url") return { base_url, api_key: null, unavailable: NEEDS_URL };
  const setting = readSetting(source, needs.variable);
  if (setting === null) return { base_url, api_key: null, unavailable: `Set ${needs.variable} to use ${entry.name}.` };
  if (needs.kind === "key") return { base_url, api_key: setting, unavailable: null };
  const address = readLocalHost(setting, needs.port);
  return { base_url: address.ok ? address.url : null, api_key: null, unavailable: address.ok ? null : `${needs.variable}: ${address.reason}` };
}

/** `HERMES_MODEL_BASE_URL` and `HERMES_MODEL_API_KEY` belong to the provider that `HERMES_MODEL_PROVIDER` names, or `HERMES_MODEL` before its slash. */
function environmentOverride(source: ModelSource, environment: ModelSettings["chosen"]): Override | null {
  const before = environment.model?.split("/", 1)[0] ?? "";
  const id = environment.provider ?? (isBuiltInProvider(before) ? before : null);
  const baseUrl = readSetting(source, "HERMES_MODEL_BASE_URL");
  const apiKey = readSetting(source, "HERMES_MODEL_API_KEY");
  if (id === null || id === "demo" || (baseUrl === null && apiKey === null)) return null;
  const models = environment.provider === null || environment.model === null ? [] : [{ id: environment.model, context_window: null }];
  return { id, base_url: baseUrl, api_key: apiKey, models };
}

function toOverride(entry: ProfileModelConfig["providers"][number], source: ModelSource): Override {
  return { id: providerId(entry.name), base_url: entry.base_url, api_key: entry.api_key ?? readSetting(source, entry.key_variable), models: entry.models };
}

/** The `model` block of `config.yaml`, where it says more than a name. */
function profileOverride(config: ProfileModelConfig, source: ModelSource): Override | null {
  const named = config.provider ?? (config.base_url === null ? null : "openai-compatible");
  if (named === null) return null;
  const id = providerId(named);
  const known = config.providers.some((entry) => providerId(entry.name) === id) || isBuiltInProvider(id);
  if (id === "demo" || (!known && config.base_url === null)) return null;
  const models = config.model === null ? [] : [{ id: config.model, context_window: config.context_window }];
  return { id, base_url: config.base_url, api_key: config.api_key ?? readSetting(source, config.key_variable), models };
}

function applyOverride(before: ProviderDefinition | undefined, override: Override): ProviderDefinition {
  const address = override.base_url === null ? null : readAddress(override.id, override.base_url);
  const kind = before === undefined || (before.kind === "openai" && address !== null) ? "chat" : before.kind;
  const baseUrl = address?.ok === true ? address.url : (before?.base_url ?? null);
  const apiKey = override.api_key ?? (keepsKey(before, baseUrl) ? (before?.api_key ?? null) : null);
  const definition: ProviderDefinition = {
    id: override.id,
    name: before?.name ?? override.id,
    kind,
    base_url: baseUrl,
    api_key: apiKey,
    unavailable: null,
    models: mergeModels(override.models.map((model) => knownModel(kind, model.id, model.context_window)), before?.models ?? []),
    listing: kind === "chat" ? (before?.listing === "ollama" ? "ollama" : "openai") : "none",
  };
  const missing = before?.unavailable ?? `The provider ${override.id} has no base URL or no key.`;
  if (address?.ok === false) return { ...definition, unavailable: address.reason };
  const needsKey = kind !== "chat" || (address === null && before?.unavailable != null);
  if (baseUrl === null || (needsKey && apiKey === null)) return { ...definition, unavailable: missing };
  return withUsableKey(definition);
}

/** A key stays with its address; only a built-in provider that is given another one takes its own key along. */
function keepsKey(before: ProviderDefinition | undefined, baseUrl: string | null): boolean {
  if (before === undefined) return false;
  if (before.base_url === baseUrl) return true;
  return isBuiltInProvider(before.id) && before.base_url !== null && before.base_url === PROVIDER_CATALOG[before.id].base_url;
}

function readAddress(id: string, written: string): ProviderAddress {
  const needs = isBuiltInProvider(id) ? PROVIDER_CATALOG[id].needs : null;
  return needs?.kind === "host" ? readLocalHost(written, needs.port) : readBaseUrl(written);
}

function mergeModels(first: readonly KnownModel[], rest: readonly KnownModel[]): readonly KnownModel[] {
  return [...first, ...rest.filter((model) => !first.some((known) => known.id === model.id))];
}

/** A key that cannot stand in a header was pasted wrong; saying so beats an obscure failure later. */
function withUsableKey(definition: ProviderDefinition): ProviderDefinition {
  const usable = definition.api_key === null || /^[\x21-\x7e]+$/.test(definition.api_key);
  return usable ? definition : { ...definition, api_key: null, unavailable: `The key of ${definition.name} has characters that no key has.` };
}
