/**
 * The providers that are known by name, and what can be known about their models without asking. A
 * model that is not listed here may be used all the same; its context window is then unknown (null).
 */
export const BUILT_IN_PROVIDERS = ["demo", "openai", "anthropic", "google", "openrouter", "ollama", "lmstudio", "openai-compatible"] as const;
export type BuiltInProvider = (typeof BUILT_IN_PROVIDERS)[number];

/** How a provider is spoken to. `chat`: OpenAI's chat completions. */
export type ProviderKind = "demo" | "openai" | "anthropic" | "google" | "chat";

export interface ModelSupport {
  readonly tools: boolean;
  readonly reasoning: boolean;
  readonly images: boolean;
}

export interface KnownModel {
  readonly id: string;
  readonly name: string;
  /** Tokens; null when unknown. */
  readonly context_window: number | null;
  readonly supports: ModelSupport;
}

/** What a person has to give before the provider can be used. */
export type ProviderNeed =
  | { readonly kind: "nothing" }
  | { readonly kind: "key"; readonly variable: string }
  /** The address of a local server; `port` is its usual one. */
  | { readonly kind: "host"; readonly variable: string; readonly port: number }
  /** A base URL, from `HERMES_MODEL_BASE_URL` or the profile. */
  | { readonly kind: "url" };

export interface CatalogEntry {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly needs: ProviderNeed;
  /** Null: the person sets it. Always given to the libraries, which would else read it from the environment. */
  readonly base_url: string | null;
  /** Ids, the first is its default. */
  readonly models: readonly string[];
  /** Where more models are listed: `openai` is GET {base}/models, `ollama` is GET {host}/api/tags. */
  readonly listing: "none" | "openai" | "ollama";
}

const DEMO_CONTEXT_WINDOW = 128_000;

export const PROVIDER_CATALOG: Record<BuiltInProvider, CatalogEntry> = {
  demo: { name: "Demo (scripted practice model, offline)", kind: "demo", needs: { kind: "nothing" }, base_url: null, models: ["demo"], listing: "none" },
  openai: {
    name: "OpenAI",
    kind: "openai",
    needs: { kind: "key", variable: "OPENAI_API_KEY" },
    base_url: "https://api.openai.com/v1",
    models: ["gpt-5.5", "gpt-5.4-mini", "gpt-6-sol", "gpt-6-luna", "gpt-5.2", "gpt-4.1"],
    listing: "none",
  },
  anthropic: {
    name: "Anthropic",
    kind: "anthropic",
    needs: { kind: "key", variable: "ANTHROPIC_API_KEY" },
    base_url: "https://api.anthropic.com/v1",
    models: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-sonnet-4-6", "claude-haiku-4-5"],
    listing: "none",
  },
  google: {
    name: "Google",
    kind: "google",
    needs: { kind: "key", variable: "GOOGLE_GENERATIVE_AI_API_KEY" },
    base_url: "https://generativelanguage.googleapis.com/v1beta",
    models: ["gemini-flash-latest", "gemini-pro-latest", "gemini-3.1-pro-preview", "gemini-2.5-pro", "gemini-2.5-flash"],
    listing: "none",
  },
  openrouter: {
    name: "OpenRouter",
    kind: "chat",
    needs: { kind: "key", variable: "OPENROUTER_API_KEY" },
    base_url: "https://openrouter.ai/api/v1",
    models: ["openrouter/auto"],
    listing: "openai",
  },
  ollama: { name: "Ollama", kind: "chat", needs: { kind: "host", variable: "OLLAMA_HOST", port: 11_434 }, base_url: null, models: [], listing: "ollama" },
  lmstudio: { name: "LM Studio", kind: "chat", needs: { kind: "host", variable: "LMSTUDIO_HOST", port: 1_234 }, base_url: null, models: [], listing: "openai" },
  "openai-compatible": { name: "OpenAI-compatible", kind: "chat", needs: { kind: "url" }, base_url: null, models: [], listing: "openai" },
};

export function isBuiltInProvider(id: string): id is BuiltInProvider {
  return BUILT_IN_PROVIDERS.some((known) => known === id);
}

const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o/, 128_000],
  [/^o[134]/, 200_000],
  [/^claude-/, 200_000],
  [/^gemini-/, 1_048_576],
];

/** What is known about a model of that provider kind; `window` (configured or listed) wins. */
export function knownModel(kind: ProviderKind, id: string, window: number | null = null): KnownModel {
  if (kind === "demo") return { id, name: "Demo", context_window: window ?? DEMO_CONTEXT_WINDOW, supports: { tools: true, reasoning: true, images: false } };
  const bare = id.slice(id.lastIndexOf("/") + 1);
  const known = WINDOWS.find(([pattern]) => pattern.test(bare))?.[1] ?? null;
  const reasons = kind === "chat" || !bare.startsWith("gpt-4");
  return { id, name: id, context_window: window ?? known, supports: { tools: true, reasoning: reasons, images: true } };
}
