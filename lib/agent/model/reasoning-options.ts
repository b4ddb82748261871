/**
 * Our reasoning levels (`none minimal low medium high`, null for the provider's default) in the words
 * of each provider that is reached through a library. An unknown level is left to the provider.
 */
import type { ProviderOptions } from "./sdk-prompt";
import type { ModelRequest } from "./model-port";

const ANTHROPIC_BUDGETS: ReadonlyMap<string, number> = new Map([["minimal", 1_024], ["low", 2_048], ["medium", 8_192], ["high", 24_576]]);
const GOOGLE_BUDGETS: ReadonlyMap<string, number> = new Map([["none", 0], ["minimal", 512], ["low", 2_048], ["medium", 8_192], ["high", 24_576]]);

/** Nothing is stored at OpenAI; a summary of the reasoning is asked for only with a level, since not every account may see it. */
export function openaiOptions(request: ModelRequest): ProviderOptions {
  if (request.reasoning === null) return { openai: { store: false } };
  return { openai: { store: false, reasoningEffort: request.reasoning, reasoningSummary: "auto" } };
}

/**
 * Claude from 4.6 on thinks adaptively, by effort. Older ones have a budget, and then want their last
 * thoughts back, signed, with the results of their calls: we keep none, so they think at the start of
 * a turn only. The prompt is cached at the provider.
 */
export function anthropicOptions(request: ModelRequest): ProviderOptions {
  const cached = { cacheControl: { type: "ephemeral" } };
  const level = request.reasoning;
  if (level === null) return { anthropic: cached };
  if (level === "none") return { anthropic: { ...cached, thinking: { type: "disabled" } } };
  if (thinksAdaptively(request.model)) {
    const effort = level === "minimal" ? "low" : level;
    return { anthropic: { ...cached, thinking: { type: "adaptive", display: "summarized" }, effort } };
  }
  const budget = ANTHROPIC_BUDGETS.get(level);
  if (budget === undefined || request.messages.at(-1)?.role === "tool") return { anthropic: cached };
  return { anthropic: { ...cached, thinking: { type: "enabled", budgetTokens: budget } } };
}

/** Gemini 3 and later take a level, 2.5 a budget (its Pro cannot be without). */
export function googleOptions(request: ModelRequest): ProviderOptions {
  const level = request.reasoning;
  if (level === null) return { google: { thinkingConfig: { includeThoughts: true } } };
  if (/gemini-2\.5/.test(request.model)) {
    const budget = GOOGLE_BUDGETS.get(level);
    const least = request.model.includes("pro") ? 128 : 0;
    return budget === undefined ? {} : { google: { thinkingConfig: { includeThoughts: level !== "none", thinkingBudget: Math.max(budget, least) } } };
  }
  return { google: { thinkingConfig: { includeThoughts: level !== "none", thinkingLevel: level === "none" ? "minimal" : level } } };
}

function thinksAdaptively(model: string): boolean {
  const version = /claude-[a-z]+-(\d+)(?:-(\d{1,2})(?!\d))?/.exec(model);
  if (version === null) return false;
  return Number(version[1]) * 100 + Number(version[2] ?? 0) >= 406;
}
