/** The server's models as the picker takes them, and which one a session uses. */
import type { ModelList } from "#client/answers";
import type { ContextMeter } from "#fold/session-selectors";
import type { ModelChoice, ModelGroup } from "../composer/model-picker";

export interface ModelPair {
  readonly provider: string;
  readonly model: string;
}

export function modelGroups(models: ModelList | null): readonly ModelGroup[] {
  return (models?.providers ?? [])
    .filter((provider) => provider.models.length > 0)
    .map((provider) => ({
      provider: provider.id,
      name: provider.name,
      reason: provider.available ? null : (provider.reason ?? "not available"),
      models: provider.models.map((model): ModelChoice => ({ provider: provider.id, model: model.id, name: model.name, contextWindow: model.context_window })),
    }));
}

/** What was chosen for the session, else what is used when nobody chooses. */
export function modelInUse(chosen: { readonly provider: string | null; readonly model: string | null }, models: ModelList | null): ModelPair | null {
  if (chosen.model !== null) return { provider: chosen.provider ?? providerOf(chosen.model, models), model: chosen.model };
  const usual = models?.default ?? null;
  if (usual === null || usual.model === null) return null;
  return { provider: usual.provider ?? providerOf(usual.model, models), model: usual.model };
}

function providerOf(model: string, models: ModelList | null): string {
  return models?.providers.find((provider) => provider.models.some((entry) => entry.id === model))?.id ?? "";
}

export function contextWindowOf(pair: ModelPair | null, models: ModelList | null): number | null {
  if (pair === null) return null;
  const provider = models?.providers.find((entry) => entry.id === pair.provider);
  return provider?.models.find((entry) => entry.id === pair.model)?.context_window ?? null;
}

/**
 * How full the context is of the model that will answer next: what the last request held, over the
 * window that the run knew or, where it knew none or another model's (B271), the one that is listed.
 */
export function meterInUse(meter: ContextMeter | null, pair: ModelPair | null, models: ModelList | null): ContextMeter | null {
  if (meter === null) return null;
  const listed = contextWindowOf(pair, models);
  const window = pair !== null && meter.model === pair.model ? (meter.window ?? listed) : listed;
  const { tokens, model } = meter;
  return { tokens, window, share: window === null ? null : Math.min(1, tokens / window), over: window !== null && tokens > window, model };
}
