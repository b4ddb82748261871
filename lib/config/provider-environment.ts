import type { Settings } from "./settings";

/** What the settings say of models and providers, under the names that a profile's `.env` uses too; unset ones are left out. */
export function providerEnvironment(settings: Settings): Readonly<Record<string, string>> {
  const { model, providers } = settings;
  const entries = {
    HERMES_MODEL: model.model,
    HERMES_MODEL_PROVIDER: model.provider,
    HERMES_MODEL_BASE_URL: model.baseUrl,
    HERMES_MODEL_API_KEY: model.apiKey,
    OPENAI_API_KEY: providers.openaiApiKey,
    ANTHROPIC_API_KEY: providers.anthropicApiKey,
    GOOGLE_GENERATIVE_AI_API_KEY: providers.googleApiKey,
    OPENROUTER_API_KEY: providers.openrouterApiKey,
    OLLAMA_HOST: providers.ollamaUrl,
    LMSTUDIO_HOST: providers.lmstudioUrl,
  };
  return Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== null));
}
