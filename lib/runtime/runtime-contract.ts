/**
 * The promises of `Runtime`, as stories that every backend passes: what a caller may rely on whoever
 * executes. A backend is opened once for all stories; the last one shuts its owner down.
 */
import { afterAll, beforeAll, describe } from "vitest";
import { cancelStories } from "./runtime-contract-cancel";
import { drainStories } from "./runtime-contract-drain";
import { goalStories } from "./runtime-contract-goal";
import { promptStories } from "./runtime-contract-prompts";
import { queueStories } from "./runtime-contract-queue";
import { runStories } from "./runtime-contract-runs";
import { sessionStories } from "./runtime-contract-sessions";
import { RuntimeStory, type ContractBackend } from "./runtime-contract-story";

/** Opens a backend on an empty database, with the practice model and two runs at once. */
export type OpenBackend = () => Promise<ContractBackend>;

export function describeRuntimeContract(name: string, open: OpenBackend): void {
  describe(`the runtime contract: ${name}`, () => {
    let backend: ContractBackend | null = null;
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(async () => {
      await backend?.close();
    });
    const story = (): RuntimeStory => {
      if (backend === null) throw new Error("The backend was not opened.");
      return new RuntimeStory(backend);
    };
    runStories(story);
    cancelStories(story);
    promptStories(story);
    queueStories(story);
    goalStories(story);
    sessionStories(story);
    drainStories(story);
  });
}
