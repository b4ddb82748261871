import { describe, expect, it } from "vitest";
import type { ModelList } from "#client/answers";
import { foundModels, usualModel } from "./found-models";
import { contextWindowOf, meterInUse, modelInUse } from "./model-choices";

const supports = { tools: true, reasoning: false, images: false };
const model = (id: string, window: number | null = 32_000) => ({ id, name: id, context_window: window, supports });
const models: ModelList = {
  providers: [
    { id: "demo", name: "Practice model", available: true, models: [model("demo", 128_000)] },
    { id: "openai", name: "OpenAI", available: false, reason: "Set OPENAI_API_KEY to use OpenAI.", models: [] },
    { id: "ollama", name: "Local server on port 11434", available: true, models: [model("hazel-32b"), model("hazel-8b")] },
    { id: "lmstudio", name: "Local server on port 1234", available: false, reason: "Does not answer.", models: [] },
    { id: "mine", name: "My server", available: true, models: [model("juniper-large", 128_000), model("m")] },
  ],
  default: { provider: "mine", model: "juniper-large" },
};

describe("the first page", () => {
  it("offers the usual model first, practice last, and tells what does not answer", () => {
    expect(foundModels(models).map((found) => [found.name, found.fact, found.detail, found.available])).toEqual([
      ["juniper-large", "From My server.", "128k context", true],
      ["Local server on port 11434", "2 models: hazel-32b, hazel-8b.", "32k context", true],
      ["Practice model", "Needs no key and no network. It follows a small script and drives the real tools.", "built in", true],
      ["Local server on port 1234", "Does not answer. Start it, then look again.", "", false],
    ]);
    expect(foundModels(null)).toEqual([]);
  });

  it("tells of a server that was named and does not answer, or has nothing, instead of leaving it out", () => {
    const [provider] = models.providers.slice(2);
    if (provider === undefined) throw new Error("no provider");
    const silent = foundModels({ ...models, providers: [{ ...provider, models: [], reason: "The server cannot be reached. connect ECONNREFUSED 127.0.0.1:1" }, { ...provider, id: "empty", models: [] }] });
    expect(silent.map((found) => [found.available, found.fact])).toEqual([
      [false, "The server cannot be reached. Start it, then look again."],
      [false, "It has no model yet. Start it, then look again."],
    ]);
  });

  it("takes the provider's usual model when only the provider is picked", () => {
    expect(usualModel(models.providers[4], models)).toEqual({ provider: "mine", model: "juniper-large" });
    expect(usualModel(models.providers[2], models)).toEqual({ provider: "ollama", model: "hazel-32b" });
    expect(usualModel(models.providers[1], models)).toBeNull();
  });
});

describe("the model in use", () => {
  it("is the chosen pair, else the usual one (B285)", () => {
    expect(modelInUse({ provider: "ollama", model: "m" }, models)).toEqual({ provider: "ollama", model: "m" });
    expect(modelInUse({ provider: null, model: "hazel-8b" }, models)).toEqual({ provider: "ollama", model: "hazel-8b" });
    expect(modelInUse({ provider: null, model: null }, models)).toEqual({ provider: "mine", model: "juniper-large" });
    expect(modelInUse({ provider: null, model: null }, null)).toBeNull();
    expect(contextWindowOf({ provider: "mine", model: "juniper-large" }, models)).toBe(128_000);
  });

  it("is measured by its own window: the run's, else the listed one, never another model's (B271)", () => {
    const meter = { tokens: 32_000, window: 64_000, share: 0.5, over: false, model: "juniper-large" };
    const pair = { provider: "mine", model: "juniper-large" };
    expect(meterInUse(meter, pair, models)).toEqual(meter);
    expect(meterInUse({ ...meter, window: null, share: null }, pair, models)).toEqual({ ...meter, window: 128_000, share: 0.25 });
    expect(meterInUse(meter, { provider: "ollama", model: "hazel-8b" }, models)).toEqual({ ...meter, window: 32_000, share: 1 });
    expect(meterInUse(meter, null, null)).toEqual({ ...meter, window: null, share: null });
    expect(meterInUse(null, pair, models)).toBeNull();
  });
});
