/** The models that a profile can use, as routes and commands ask for them. */
import type { ModelNaming } from "#commands/command";

export interface CatalogModel {
  readonly id: string;
  readonly name: string;
  readonly context_window: number | null;
  readonly supports: { readonly tools: boolean; readonly reasoning: boolean; readonly images: boolean };
}

export interface CatalogProvider {
  readonly id: string;
  readonly name: string;
  readonly available: boolean;
  readonly reason?: string;
  readonly models: readonly CatalogModel[];
}

export interface ModelListing {
  readonly providers: readonly CatalogProvider[];
  readonly default: { readonly provider: string; readonly model: string | null };
}

export interface ModelCatalog {
  /** Everything that `GET /api/models` tells; takes at most a few seconds. Throws `profile_not_found`. */
  list(profile: string, signal: AbortSignal): Promise<ModelListing>;
  /** The model that a name means for a profile; null: the one that is used when none is named. */
  name(profile: string, name: string | null): Promise<ModelNaming>;
}
