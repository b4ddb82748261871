/**
 * What a profile's `config.yaml` says about models. The file may be a person's own Hermes Agent's:
 * many keys are not ours, and a value of the wrong type counts as absent. Read are `model` (a name,
 * or `{default|name|model, provider, base_url, api_key, context_length}`), `provider` and `base_url`
 * beside it, `providers.<id>` and the older list `custom_providers[]`.
 */
import { z } from "zod";

export interface ConfiguredModel {
  readonly id: string;
  readonly context_window: number | null;
}

export interface ConfiguredProvider {
  readonly name: string;
  readonly base_url: string | null;
  /** Written into the file; `key_variable` names a variable instead. */
  readonly api_key: string | null;
  readonly key_variable: string | null;
  /** The first is its default. */
  readonly models: readonly ConfiguredModel[];
}

export interface ProfileModelConfig {
  readonly provider: string | null;
  readonly model: string | null;
  readonly base_url: string | null;
  readonly api_key: string | null;
  readonly key_variable: string | null;
  readonly context_window: number | null;
  readonly providers: readonly ConfiguredProvider[];
}

const text = z.string().trim().min(1).nullish().catch(null);
const tokens = z.number().int().positive().nullish().catch(null);
const modelEntry = z.union([
  z.string().transform((id) => ({ id, context_length: null })),
  z.looseObject({ id: text, name: text, context_length: tokens }),
]);
const keys = { base_url: text, api: text, url: text, api_key: text, key_env: text, api_key_env: text };
const providerSchema = z.looseObject({
  ...keys,
  name: text,
  model: text,
  default_model: text,
  context_length: tokens,
  models: z
    .union([z.array(modelEntry), z.record(z.string(), z.looseObject({ context_length: tokens }).nullish().catch(null))])
    .nullish()
    .catch(null),
});
const modelSchema = z.looseObject({ ...keys, default: text, name: text, model: text, provider: text, context_length: tokens });
const configSchema = z.looseObject({
  model: z.preprocess((value) => (typeof value === "string" ? { default: value } : value), modelSchema.nullish().catch(null)),
  provider: text,
  base_url: text,
  providers: z.record(z.string(), providerSchema.nullish().catch(null)).nullish().catch(null),
  custom_providers: z.array(providerSchema.nullish().catch(null)).nullish().catch(null),
});
type ParsedProvider = z.infer<typeof providerSchema>;

/** The settings in a parsed `config.yaml`; anything that is no mapping says nothing. */
export function readProfileModelConfig(config: unknown): ProfileModelConfig {
  const parsed = configSchema.safeParse(config);
  const file = parsed.success ? parsed.data : configSchema.parse({});
  const model = file.model ?? modelSchema.parse({});
  const named = Object.entries(file.providers ?? {}).map(([id, entry]) => (entry == null ? null : toProvider(id, entry)));
  const listed = (file.custom_providers ?? []).map((entry) => (entry?.name == null ? null : toProvider(entry.name, entry)));
  const provider = model.provider ?? file.provider ?? null;
  return {
    provider: provider === "auto" ? null : provider,
    model: model.default ?? model.model ?? model.name ?? null,
    base_url: model.base_url ?? file.base_url ?? null,
    api_key: model.api_key ?? null,
    key_variable: model.key_env ?? model.api_key_env ?? null,
    context_window: model.context_length ?? null,
    providers: [...named, ...listed].filter((entry) => entry !== null),
  };
}

function toProvider(name: string, entry: ParsedProvider): ConfiguredProvider {
  const first = entry.default_model ?? entry.model;
  const all = [...(first == null ? [] : [{ id: first, context_window: entry.context_length ?? null }]), ...modelsOf(entry)];
  const windows = new Map(all.map((model) => [model.id, model.context_window]));
  return {
    name,
    base_url: entry.base_url ?? entry.api ?? entry.url ?? null,
    api_key: entry.api_key ?? null,
    key_variable: entry.key_env ?? entry.api_key_env ?? null,
    models: [...new Set(all.map((model) => model.id))].map((id) => ({ id, context_window: windows.get(id) ?? entry.context_length ?? null })),
  };
}

function modelsOf(entry: ParsedProvider): readonly ConfiguredModel[] {
  const models = entry.models ?? [];
  if (!Array.isArray(models)) return Object.entries(models).map(([id, known]) => ({ id, context_window: known?.context_length ?? null }));
  return models.flatMap((model) => {
    const id = model.id ?? ("name" in model && typeof model.name === "string" ? model.name : null);
    return id == null ? [] : [{ id, context_window: model.context_length ?? null }];
  });
}
