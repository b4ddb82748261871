/**
 * The models that a profile can use, as routes and commands ask for them. Keys come from the settings
 * and the profile's `.env`, read anew each time; asking a provider is bounded by its own limits.
 */
import { knowsProvider, listProviders, resolveModel, type ProviderListing } from "#agent/model/registry";
import type { ModelNaming } from "#commands/command";
import { providerEnvironment } from "#config/provider-environment";
import type { Settings } from "#config/settings";
import { readConfig } from "#profiles/config-file";
import { overEnvironment, readEnvFile } from "#profiles/env-file";
import { requireProfile } from "#profiles/home";

type ModelSource = Parameters<typeof listProviders>[0];

const NAME_BOUND_MS = 2_000;

export class ModelCatalog {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** What `GET /api/models` tells. Throws `profile_not_found`. */
  async list(profile: string, signal: AbortSignal): Promise<ProviderListing> {
    return listProviders(await this.#source(profile), signal);
  }

  /** The model that a name means for a profile; null: the one that is used when none is named. */
  async name(profile: string, name: string | null): Promise<ModelNaming> {
    const found = await resolveModel(
      await this.#source(profile),
      { provider: null, model: name },
      { load_image: () => Promise.resolve(null), signal: AbortSignal.timeout(NAME_BOUND_MS) },
    );
    return found.ok ? { ok: true, provider: found.provider, model: found.model } : { ok: false, message: found.message };
  }

  /** Whether a profile has a provider of this name, usable or not. Throws `profile_not_found`. */
  async hasProvider(profile: string, provider: string): Promise<boolean> {
    return knowsProvider(await this.#source(profile), provider);
  }

  async #source(profile: string): Promise<ModelSource> {
    const home = await requireProfile(this.#settings.hermesHome, profile);
    const [{ config }, env] = await Promise.all([readConfig(home), readEnvFile(home)]);
    return { env: overEnvironment(providerEnvironment(this.#settings), env), config };
  }
}
