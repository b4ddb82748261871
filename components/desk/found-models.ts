/** The server's providers as the first page offers them: what was found, in its own words. Pure. */
import type { ModelList } from "#client/answers";
import type { FoundModel } from "../entry/first-run";
import { countOf, tokenWords } from "../words/count-words";
import type { ModelPair } from "./model-choices";

type Provider = ModelList["providers"][number];

const PRACTICE = "demo";
const SHOWN_NAMES = 4;

/** Providers that can answer first, the built-in practice model after them, then those that were looked for in vain. */
export function foundModels(models: ModelList | null): readonly FoundModel[] {
  const providers = models?.providers ?? [];
  const ready = providers.filter((provider) => provider.available && provider.models.length > 0);
  const order = (provider: Provider): number => (provider.id === models?.default?.provider ? 0 : provider.id === PRACTICE ? 2 : 1);
  const offered = ready.toSorted((one, other) => order(one) - order(other)).map((provider) => foundModel(provider, models));
  // What is set up and does not answer is worth a line; what nobody has set up is not.
  const silent = providers.filter((provider) => !ready.includes(provider) && isSetUp(provider));
  return [...offered, ...silent.map((provider) => ({ ...foundModel(provider, models), available: false }))];
}

/** The server says of the others which variable would set them up. */
function isSetUp(provider: Provider): boolean {
  return provider.available || (provider.reason !== null && provider.reason !== undefined && !/^Set [A-Z]/.test(provider.reason));
}

function foundModel(provider: Provider, models: ModelList | null): FoundModel {
  const pair = usualModel(provider, models);
  const model = provider.models.find((entry) => entry.id === pair?.model);
  const alone = provider.models.length === 1 || provider.id === models?.default?.provider;
  return {
    id: provider.id,
    name: alone && model !== undefined && provider.id !== PRACTICE ? model.name : provider.name,
    fact: provider.available && provider.models.length > 0 ? factOf(provider, alone) : `${firstSentence(provider.reason ?? (provider.available ? "It has no model yet" : "Does not answer"))} Start it, then look again.`,
    detail: provider.id === PRACTICE ? "built in" : windowWords(model?.context_window ?? null),
    available: provider.available,
  };
}

function factOf(provider: Provider, alone: boolean): string {
  if (provider.id === PRACTICE) return "Needs no key and no network. It follows a small script and drives the real tools.";
  if (alone) return `From ${provider.name}.`;
  const names = provider.models.slice(0, SHOWN_NAMES).map((model) => model.name);
  return `${countOf(provider.models.length, "model")}: ${names.join(", ")}${provider.models.length > SHOWN_NAMES ? ", …" : "."}`;
}

function windowWords(window: number | null): string {
  return window === null ? "" : `${tokenWords(window)} context`;
}

/** What follows is for those who look into the settings. */
function firstSentence(text: string): string {
  const [first = text] = text.split(/(?<=[.!?])\s/);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** The model of a provider that answers when only the provider was picked. */
export function usualModel(provider: Provider | undefined, models: ModelList | null): ModelPair | null {
  if (provider === undefined) return null;
  const usual = models?.default;
  if (usual?.provider === provider.id && usual.model !== null && usual.model !== undefined) return { provider: provider.id, model: usual.model };
  const [first] = provider.models;
  return first === undefined ? null : { provider: provider.id, model: first.id };
}
