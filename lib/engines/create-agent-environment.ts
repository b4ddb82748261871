/**
 * The agent environment from settings and the profiles' homes (H5): the process's own provider keys
 * merged with the profile's `.env`, the profile's `config.yaml`, its persona, its memory and skills.
 */
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parse as parseDotenv } from "dotenv";
import { parse as parseYaml } from "yaml";
import type { Settings } from "#config/settings";
import { knownSecrets } from "#config/known-secrets";
import { resolveModel, providerSecrets } from "#agent/model/registry";
import type { ModelSource } from "#agent/model/provider-settings";
import { withRetry } from "#agent/model/with-retry";
import { findAttachment } from "#workspace/attachments";
import type { AgentEnvironment } from "./agent-environment";

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

export async function createAgentEnvironment(settings: Settings): Promise<AgentEnvironment> {
  const homeOf = (profile: string): string => (profile === "default" ? settings.hermesHome : join(settings.hermesHome, "profiles", profile));
  const secrets = new Map<string, readonly string[]>();
  const base = providerEnvironment(settings);
  const source = async (profile: string): Promise<ModelSource> => {
    const home = homeOf(profile);
    const env = parseDotenv(await readFile(join(home, ".env"), "utf8").catch(() => ""));
    const config: unknown = parseYaml(await readFile(join(home, "config.yaml"), "utf8").catch(() => ""));
    const found = { env: { ...base, ...env }, config };
    secrets.set(profile, [...knownSecrets(settings), ...providerSecrets(found)]);
    return found;
  };
  await source("default");
  const loadImage = async (id: string): Promise<Uint8Array | null> => {
    const found = await findAttachment(settings.stateDirectory, id);
    return found === null ? null : readFile(found.path);
  };
  return {
    profile: async (name) => {
      const home = homeOf(name);
      if (name !== "default" && (await stat(home).catch(() => null)) === null) return null;
      return { home, workspace: null };
    },
    model: async (profile, pick) => {
      const found = await resolveModel(await source(profile), pick, { load_image: loadImage, signal: AbortSignal.timeout(2000) });
      return found.ok ? found : { ok: false, message: found.message };
    },
    workspace: async () => {
      await mkdir(settings.workspace, { recursive: true });
      return settings.workspace;
    },
    homeOf,
    modelOf: async (request, signal) => {
      const found = await resolveModel(await source(request.profile), { provider: request.provider, model: request.model }, { load_image: loadImage, signal });
      if (!found.ok) return { ok: false, code: "model_not_found", message: found.message };
      return { ok: true, value: { port: withRetry(found.port), context_window: found.context_window, images: found.images } };
    },
    personaOf: () => Promise.resolve({ soul: null, memory: null, skills: null }),
    secretsOf: (profile) => secrets.get(profile) ?? [],
    childEnvOf: () => ({}),
    allowlistOf: () => Promise.resolve([]),
    allow: () => Promise.resolve(),
    memory: { apply: () => Promise.resolve({ ok: false, text: "No memory." }) },
    skills: { list: () => Promise.resolve([]), view: () => Promise.resolve({ ok: false, text: "No skills." }) },
  };
}
