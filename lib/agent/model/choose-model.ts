/**
 * From what was asked for (a provider, a model, both, neither) to one provider and one exact model
 * id. An id is never cut or rewritten: the part before the first slash counts as provider only when a
 * provider is called so and none was named. Two providers with the same model and no pick: an error
 * that says what to write, never a guess that sends a request and a key to the wrong address.
 */
import type { ModelFailureCode } from "#protocol/errors";
import { providerId, type ModelSettings, type ProviderDefinition } from "./provider-settings";

export interface ModelPick {
  readonly provider?: string | null;
  readonly model?: string | null;
}

export type ModelRefusal = { readonly ok: false; readonly code: ModelFailureCode; readonly message: string };
/** `model` null: the provider's own list must say which. */
export type ModelChoice = { readonly ok: true; readonly definition: ProviderDefinition; readonly model: string | null } | ModelRefusal;

/** The order in which a provider becomes the default when nothing is set; those that are not here come after. */
const PREFERENCE = ["openai", "anthropic", "google", "openrouter"];
const LAST = ["openai-compatible", "ollama", "lmstudio", "demo"];

export function chooseModel(settings: ModelSettings, pick: ModelPick): ModelChoice {
  const provider = blankToNull(pick.provider);
  const model = blankToNull(pick.model);
  const choice = provider !== null ? withProvider(settings, provider, model) : model !== null ? withModel(settings, model) : withDefault(settings);
  if (!choice.ok || choice.definition.unavailable === null) return choice;
  return refuse("provider_auth", `The provider ${choice.definition.id} cannot be used. ${choice.definition.unavailable}`);
}

function withProvider(settings: ModelSettings, named: string, model: string | null): ModelChoice {
  const definition = findProvider(settings, named);
  if (definition === undefined) return refuse("model_not_found", `There is no provider called ${named}. There are: ${names(settings.providers)}.`);
  if (model !== null) return { ok: true, definition, model };
  const chosen = settings.chosen.provider !== null && findProvider(settings, settings.chosen.provider) === definition ? settings.chosen.model : null;
  return { ok: true, definition, model: chosen ?? definition.models[0]?.id ?? null };
}

function withModel(settings: ModelSettings, model: string): ModelChoice {
  const { chosen } = settings;
  if (chosen.provider !== null && chosen.model === model) return withProvider(settings, chosen.provider, model);
  const split = splitModel(settings, model);
  if (split !== null && split.definition.unavailable === null) return split;
  const owners = settings.providers.filter((entry) => entry.unavailable === null && entry.models.some((known) => known.id === model));
  const [owner, other] = owners;
  if (owner !== undefined && other === undefined) return { ok: true, definition: owner, model };
  if (owner !== undefined) {
    return refuse("model_not_found", `Several providers have the model ${model}: ${names(owners)}. Name one, for example ${owner.id}/${model}.`);
  }
  if (split !== null) return split;
  const whole = findProvider(settings, model);
  return whole === undefined ? withUnlistedModel(settings, model) : withProvider(settings, model, null);
}

/** Whether a provider is called so: one that cannot be used now (no key) counts, too. */
export function hasProvider(settings: ModelSettings, named: string): boolean {
  return findProvider(settings, named) !== undefined;
}

/** No list has it: it can only be meant for the default provider, or for the only one there is. */
function withUnlistedModel(settings: ModelSettings, model: string): ModelChoice {
  if (settings.chosen.provider !== null) return withProvider(settings, settings.chosen.provider, model);
  const usable = settings.providers.filter((entry) => entry.unavailable === null && entry.kind !== "demo");
  const [only, other] = usable;
  if (only !== undefined && other === undefined) return { ok: true, definition: only, model };
  if (only === undefined) return refuse("model_not_found", `No provider is set up that could have the model ${model}.`);
  return refuse("model_not_found", `Which provider has the model ${model}? Name one of ${names(usable)}, for example ${only.id}/${model}.`);
}

function withDefault(settings: ModelSettings): ModelChoice {
  const { chosen } = settings;
  if (chosen.provider !== null) return withProvider(settings, chosen.provider, chosen.model);
  if (chosen.model !== null) return withModel(settings, chosen.model);
  const usable = settings.providers.filter((entry) => entry.unavailable === null);
  const rank = (id: string): number => (PREFERENCE.includes(id) ? PREFERENCE.indexOf(id) : 10 + LAST.indexOf(id));
  const [first] = usable.toSorted((left, right) => rank(left.id) - rank(right.id));
  if (first === undefined) return refuse("model_not_found", "No provider is set up.");
  return { ok: true, definition: first, model: first.models[0]?.id ?? null };
}

function splitModel(settings: ModelSettings, model: string): Extract<ModelChoice, { readonly ok: true }> | null {
  const slash = model.indexOf("/");
  if (slash <= 0 || slash === model.length - 1) return null;
  const definition = findProvider(settings, model.slice(0, slash));
  return definition === undefined ? null : { ok: true, definition, model: model.slice(slash + 1) };
}

function findProvider(settings: ModelSettings, named: string): ProviderDefinition | undefined {
  const id = providerId(named);
  const lower = id.toLowerCase();
  return (
    settings.providers.find((entry) => entry.id === id) ??
    settings.providers.find((entry) => entry.id.toLowerCase() === lower || entry.name.toLowerCase() === lower)
  );
}

function names(definitions: readonly ProviderDefinition[]): string {
  return definitions.map((entry) => entry.id).join(", ");
}

function refuse(code: ModelFailureCode, message: string): ModelRefusal {
  return { ok: false, code, message };
}

function blankToNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === "" ? null : text;
}
