import { mkdir } from "node:fs/promises";
import { requireProfile } from "#profiles/home";
import type { Settings } from "#config/settings";
import type { SessionDefaults } from "#sessions/session-defaults";
import { asAppError } from "./as-app-error";

/** What sessions ask of profiles and folders, answered from the settings. */
export function createSessionDefaults(settings: Settings): SessionDefaults {
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
    workspace: async () => {
      await mkdir(settings.workspace, { recursive: true });
      return settings.workspace;
    },
  };
}
