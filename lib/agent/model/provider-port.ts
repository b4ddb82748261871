/**
 * The port of each kind of provider. A library comes in with the first request that needs it: all
 * three together cost a start a quarter of a second and every process 20 MB.
 */
import { createChatPort } from "./chat-port";
import { createDemoPort } from "./demo-port";
import type { LoadImage, ModelPort } from "./model-port";
import type { ProviderKind } from "./provider-catalog";
import type { TransportLimits } from "./provider-fetch";
import type { ProviderDefinition } from "./provider-settings";
import { anthropicOptions, googleOptions, openaiOptions } from "./reasoning-options";
import { createSdkPort } from "./sdk-port";

export interface PortParts {
  readonly load_image: LoadImage;
  readonly limits: TransportLimits;
}

type CreatePort = (definition: ProviderDefinition, parts: PortParts) => ModelPort;

/** Base URL and key are always given, so that no library looks for them in the environment. */
const CREATORS: Record<ProviderKind, CreatePort> = {
  demo: () => createDemoPort(),
  chat: (definition, parts) =>
    createChatPort({
      ...parts,
      provider: definition.id,
      base_url: definition.base_url ?? "",
      api_key: definition.api_key,
      reasoning_style: definition.id === "openrouter" ? "object" : "effort",
    }),
  openai: (definition, parts) =>
    createSdkPort({
      ...sdkParts(definition, parts),
      create_model: async (model, fetchProvider) => {
        const { createOpenAI } = await import("@ai-sdk/openai");
        return createOpenAI({ ...sdkAddress(definition), fetch: fetchProvider }).responses(model);
      },
      options: openaiOptions,
    }),
  anthropic: (definition, parts) =>
    createSdkPort({
      ...sdkParts(definition, parts),
      create_model: async (model, fetchProvider) => {
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        return createAnthropic({ ...sdkAddress(definition), fetch: fetchProvider }).languageModel(model);
      },
      options: anthropicOptions,
    }),
  google: (definition, parts) =>
    createSdkPort({
      ...sdkParts(definition, parts),
      create_model: async (model, fetchProvider) => {
        const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
        return createGoogleGenerativeAI({ ...sdkAddress(definition), fetch: fetchProvider }).languageModel(model);
      },
      options: googleOptions,
    }),
};

/** The port of a provider that is available. */
export function createProviderPort(definition: ProviderDefinition, parts: PortParts): ModelPort {
  return CREATORS[definition.kind](definition, parts);
}

function sdkAddress(definition: ProviderDefinition): { readonly apiKey: string; readonly baseURL: string } {
  return { apiKey: definition.api_key ?? "", baseURL: definition.base_url ?? "" };
}

function sdkParts(definition: ProviderDefinition, parts: PortParts): PortParts & { readonly provider: string; readonly api_key: string } {
  return { ...parts, provider: definition.id, api_key: definition.api_key ?? "" };
}
