import { mkdir } from "node:fs/promises";
import { requireProfile } from "#profiles/home";
import type { Settings } from "#config/settings";
import type { SessionDefaults } from "#sessions/session-defaults";
import { asAppError } from "./as-app-error";
import type { ModelCatalog } from "./model-catalog";

/** What sessions ask of profiles, providers and folders, answered from the settings. */
export function createSessionDefaults(settings: Settings, models: Pick<ModelCatalog, "hasProvider">): SessionDefaults {
  return {
    profile: async (name) => {
      try {
        await requireProfile(settings.hermesHome, name);
        return { workspace: null };
      } catch (error) {
        if (asAppError(error)?.code === "profile_not_found") return null;
        throw error;
      }
    },
    hasProvider: (profile, provider) => models.hasProvider(profile, provider),
    workspace: async () => {
      await mkdir(settings.workspace, { recursive: true });
      return settings.workspace;
    },
  };
}
