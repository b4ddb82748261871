import { useStore } from "zustand";
import { useClient } from "./context";
import type { PromptAnswer } from "./prompt-store";

/** The answer on its way to this prompt, or null. */
export function usePromptAnswer(promptId: string): PromptAnswer | null {
  return useStore(useClient().prompts.store, (state) => state.answers[promptId] ?? null);
}
