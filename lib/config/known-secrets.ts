import type { Settings } from "./settings";

/** Every secret value of the settings, for redaction. Profile secrets are known to the profiles. */
export function knownSecrets(settings: Settings, runnerKey: string | null = null): readonly string[] {
  const { model, password, providers, runner } = settings;
  const values = [
    password,
    runner.apiKey,
    runnerKey,
    model.apiKey,
    providers.openaiApiKey,
    providers.anthropicApiKey,
    providers.googleApiKey,
    providers.openrouterApiKey,
  ];
  return [...new Set(values.filter((value) => value !== null))];
}
