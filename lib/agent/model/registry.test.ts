import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startModelServer, type ModelServer } from "#testing/model-server";
import type { ModelPick } from "./choose-model";
import { DEFAULT_TRANSPORT_LIMITS } from "./provider-fetch";
import type { ModelSource } from "./provider-settings";
import { askFor, collectOutcome } from "./read-outcome.fixture";
import { listProviders, providerSecrets, resolveModel, type ModelResolution } from "./registry";

const signal = new AbortController().signal;

function resolve(source: Partial<ModelSource>, pick: ModelPick = {}): Promise<ModelResolution> {
  return resolveModel({ env: {}, config: null, ...source }, pick, { load_image: async () => null, signal });
}
async function named(source: Partial<ModelSource>, pick: ModelPick = {}): Promise<string> {
  const found = await resolve(source, pick);
  return found.ok ? `${found.provider} ${found.model}` : `${found.code}: ${found.message}`;
}

describe("without any setting", () => {
  it("B290: the demo model is the default, and the list says what each other provider needs", async () => {
    const listing = await listProviders({ env: {}, config: null }, signal);
    expect(listing.default).toEqual({ provider: "demo", model: "demo" });
    expect(listing.providers.map((provider) => [provider.id, provider.available])).toEqual([
      ["demo", true],
      ["openai", false],
      ["anthropic", false],
      ["google", false],
      ["openrouter", false],
      ["ollama", false],
      ["lmstudio", false],
      ["openai-compatible", false],
    ]);
    expect(listing.providers[0]).toMatchObject({ name: expect.stringContaining("Demo"), models: [{ id: "demo", context_window: 128_000, supports: { tools: true } }] });
    expect(listing.providers[1]?.reason).toContain("OPENAI_API_KEY");
    expect(await named({})).toBe("demo demo");
  });

  it.each<readonly [string, ModelPick, string]>([
    ["a provider without its key", { provider: "anthropic" }, "provider_auth"],
    ["a local server without its address", { provider: "ollama", model: "m" }, "provider_auth"],
    ["a provider that is not there", { provider: "nowhere", model: "m" }, "model_not_found"],
    ["a model that nobody has", { model: "gpt-9" }, "model_not_found"],
    ["a model of a provider without its key", { model: "openai/gpt-5.5" }, "provider_auth"],
  ])("B290: %s is refused at once", async (_what, pick, code) => {
    const started = performance.now();
    expect(await resolve({}, pick)).toMatchObject({ ok: false, code });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("a config file that is no mapping, or of odd types, says nothing", async () => {
    for (const config of [null, undefined, 7, "x", [], { model: 7, providers: "x", custom_providers: { a: 1 } }, { model: { default: {}, provider: "auto" } }]) {
      expect(await named({ config })).toBe("demo demo");
    }
  });
});

describe("the default", () => {
  const env = { HERMES_MODEL: "m", HERMES_MODEL_PROVIDER: "openai-compatible", HERMES_MODEL_BASE_URL: "http://127.0.0.1:9/v1/" };
  it.each<readonly [string, Partial<ModelSource>, string]>([
    ["a key alone", { env: { ANTHROPIC_API_KEY: "k" } }, "anthropic claude-sonnet-5-5"],
    ["two keys", { env: { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" } }, "openai gpt-5.5"],
    ["HERMES_MODEL with its provider", { env }, "openai-compatible m"],
    ["a base URL without a provider", { env: { HERMES_MODEL: "fam/m:27b", HERMES_MODEL_BASE_URL: "http://127.0.0.1:9/v1" } }, "openai-compatible fam/m:27b"],
    ["a base URL, the model with its provider", { env: { HERMES_MODEL: "openai-compatible/a/b", HERMES_MODEL_BASE_URL: "http://127.0.0.1:9/v1" } }, "openai-compatible a/b"],
    ["a base URL, a model that looks like a provider's", { env: { HERMES_MODEL: "openai/gpt-oss-20b", HERMES_MODEL_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "k" } }, "openai-compatible openai/gpt-oss-20b"],
    ["a name of one's own", { env: { ...env, HERMES_MODEL_PROVIDER: "desk" } }, "desk m"],
    ["provider/model in HERMES_MODEL", { env: { HERMES_MODEL: "anthropic/claude-x", ANTHROPIC_API_KEY: "k" } }, "anthropic claude-x"],
    ["the profile's config before HERMES_MODEL", { env, config: { model: { default: "n", provider: "custom", base_url: "http://127.0.0.1:8/v1" } } }, "openai-compatible n"],
    ["the profile's model alone", { env, config: { model: "n" } }, "openai-compatible n"],
    ["the profile's provider, with its default", { config: { model: { provider: "custom:desk" }, custom_providers: [{ name: "desk", base_url: "http://127.0.0.1:8/v1", model: "d" }] } }, "desk d"],
    ["the newer form of named providers", { config: { model: { provider: "desk" }, providers: { desk: { api: "http://127.0.0.1:8/v1", models: { a: { context_length: 5 } } } } } }, "desk a"],
  ])("%s", async (_what, source, expected) => {
    expect(await named(source)).toBe(expected);
  });

  it("that names what is not there is an error, not the demo", async () => {
    expect(await resolve({ config: { model: { default: "m", provider: "nous" } } })).toMatchObject({ ok: false, code: "model_not_found" });
    expect(await listProviders({ env: {}, config: { model: { default: "m", provider: "nous" } } }, signal)).toMatchObject({ default: { provider: "nous", model: "m" } });
  });
});

describe("a model by name", () => {
  const env = { OPENAI_API_KEY: "k", OPENROUTER_API_KEY: "k" };
  const config = { custom_providers: [{ name: "P1", base_url: "http://127.0.0.1:9/v1", models: ["m", "only1"] }, { name: "P2", base_url: "http://127.0.0.1:8/v1", models: ["m"] }] };
  it.each<readonly [ModelPick, string]>([
    [{ model: "openai/gpt-5.5" }, "openai gpt-5.5"],
    [{ model: "OpenAI/gpt-5.5" }, "openai gpt-5.5"],
    [{ model: "openrouter/a/b:free" }, "openrouter a/b:free"],
    [{ provider: "openrouter", model: "openai/gpt-5.5" }, "openrouter openai/gpt-5.5"],
    [{ provider: "P2", model: "m" }, "P2 m"],
    [{ provider: "p2", model: "m" }, "P2 m"],
    [{ provider: "custom:P2", model: "m" }, "P2 m"],
    [{ model: "P2/m" }, "P2 m"],
    [{ model: "only1" }, "P1 only1"],
    [{ model: "gpt-4.1" }, "openai gpt-4.1"],
    [{ model: "demo" }, "demo demo"],
    [{ provider: "demo" }, "demo demo"],
    [{ provider: "P1" }, "P1 m"],
    [{ provider: " ", model: "only1" }, "P1 only1"],
  ])("%j", async (pick, expected) => {
    expect(await named({ env, config }, pick)).toBe(expected);
  });

  it("B285: with several owners and no pick is an error that names them", async () => {
    expect(await named({ env, config }, { model: "m" })).toMatch(/^model_not_found: .*P1, P2.*P1\/m/);
    expect(await named({ env, config }, { model: "gpt_proxy/x" })).toMatch(/^model_not_found: Which provider/);
  });

  it.each(["fam:27b-q8_0", "a/b/c:free", "gpt_proxy/x", "@x:y", "openai-ish/x"])("B284: %s stays as it is", async (model) => {
    const base = { HERMES_MODEL_PROVIDER: "openai-compatible", HERMES_MODEL_BASE_URL: "http://127.0.0.1:9/v1" };
    expect(await named({ env: base }, { model })).toBe(`openai-compatible ${model}`);
    expect(await named({ env: { ...base, HERMES_MODEL: model } })).toBe(`openai-compatible ${model}`);
    expect(await named({ env: base }, { provider: "openai-compatible", model })).toBe(`openai-compatible ${model}`);
  });

  it("knows context windows from the settings, or from the name, or not at all", async () => {
    const windowed = { model: { default: "m", provider: "desk", context_length: 4_096 }, providers: { desk: { base_url: "http://127.0.0.1:9/v1", models: { n: { context_length: 8_192 } } } } };
    expect(await resolve({ config: windowed })).toMatchObject({ context_window: 4_096 });
    expect(await resolve({ config: windowed }, { model: "n" })).toMatchObject({ context_window: 8_192 });
    expect(await resolve({ config: windowed }, { provider: "desk", model: "z" })).toMatchObject({ context_window: null });
    expect(await resolve({ env }, { model: "openai/gpt-4.1" })).toMatchObject({ context_window: 1_047_576 });
  });
});

describe("keys and addresses", () => {
  let first: ModelServer;
  let second: ModelServer;
  beforeEach(async () => {
    first = await startModelServer();
    second = await startModelServer();
  });
  afterEach(async () => {
    await first.close();
    await second.close();
  });

  async function ask(source: Partial<ModelSource>, pick: ModelPick): Promise<string> {
    const found = await resolve(source, pick);
    return found.ok ? (await collectOutcome(found.port, askFor("hi", { model: found.model }))).outcome : found.message;
  }
  const keysSeen = (server: ModelServer): readonly (string | undefined)[] => server.requests.map((request) => request.headers["authorization"]);

  it("B285: of two providers with one model only the picked one is asked, with its own key only", async () => {
    const config = { custom_providers: [{ name: "P1", base_url: first.url, api_key: "key-of-p1", model: "m" }, { name: "P2", base_url: second.url, key_env: "P2_KEY", model: "m" }] };
    expect(await ask({ config, env: { P2_KEY: "key-of-p2", OPENAI_API_KEY: "key-of-openai" } }, { provider: "P2", model: "m" })).toBe("completed");
    expect(first.requests).toEqual([]);
    expect(keysSeen(second)).toEqual(["Bearer key-of-p2"]);
    expect(second.chats[0]?.body).toMatchObject({ model: "m" });
  });

  it("no provider's key goes to a nameless base URL", async () => {
    const env = { OPENAI_API_KEY: "key-of-openai", OPENROUTER_API_KEY: "key-of-openrouter", HERMES_MODEL_BASE_URL: first.url, HERMES_MODEL: "m" };
    expect(await ask({ env }, {})).toBe("completed");
    expect(keysSeen(first)).toEqual([undefined]);
    expect(await ask({ env: { ...env, HERMES_MODEL_API_KEY: "own-key" } }, {})).toBe("completed");
    expect(keysSeen(first)[1]).toBe("Bearer own-key");
  });

  it("a profile that moves the nameless provider elsewhere does not take the process's key along", async () => {
    const env = { HERMES_MODEL_BASE_URL: first.url, HERMES_MODEL_API_KEY: "own-key" };
    expect(await ask({ env, config: { model: { default: "m", provider: "custom", base_url: second.url } } }, {})).toBe("completed");
    expect(first.requests).toEqual([]);
    expect(keysSeen(second)).toEqual([undefined]);
  });

  it.each([
    ["ftp://host/v1", "http:// or https://"],
    ["http://user:pass@127.0.0.1/v1", "user name or password"],
    ["not a url", "no URL"],
  ])("B243: the base URL %s is refused", async (base, words) => {
    const answer = await ask({ env: { HERMES_MODEL_BASE_URL: base, HERMES_MODEL: "m" } }, {});
    expect(answer).toContain(words);
    expect(answer).not.toContain("pass@");
  });

  it("a key with a line break is refused before it is sent", async () => {
    expect(await ask({ env: { OPENAI_API_KEY: "sk-\u00e4" } }, { provider: "openai" })).toContain("characters that no key has");
  });

  it("OLLAMA_HOST and LMSTUDIO_HOST are taken as their own tools write them", async () => {
    const { host } = new URL(first.origin);
    for (const value of [host, first.origin, `${first.origin}/`, `0.0.0.0:${new URL(first.origin).port}`, first.url]) {
      expect(await ask({ env: { OLLAMA_HOST: value } }, { provider: "ollama", model: "fam:27b-q8_0" })).toBe("completed");
      expect(await ask({ env: { LMSTUDIO_HOST: value } }, { provider: "lmstudio", model: "x" })).toBe("completed");
    }
    expect(first.chats).toHaveLength(10);
    expect(first.chats.every((request) => request.path === "/v1/chat/completions")).toBe(true);
  });

  it("a local server's own list gives its models and the default", async () => {
    const local = await startModelServer({ models: ["fam:27b", "nomic-embed-text", "b"] });
    const listing = await listProviders({ env: { OLLAMA_HOST: local.origin }, config: null }, signal);
    expect(listing.providers.find((provider) => provider.id === "ollama")?.models.map((model) => model.id)).toEqual(["fam:27b", "b"]);
    expect(listing.default).toEqual({ provider: "ollama", model: "fam:27b" });
    expect(await named({ env: { OLLAMA_HOST: local.origin } })).toBe("ollama fam:27b");
    await local.close();
  });

  it("a list that does not come in time, or is refused, is a reason and costs 1.5 s at most", async () => {
    const silent = createServer();
    const base = await new Promise<string>((ready) => silent.listen(0, "127.0.0.1", () => ready(`http://127.0.0.1:${z.object({ port: z.number() }).parse(silent.address()).port}`)));
    const config = { providers: { slow: { base_url: `${base}/v1`, model: "m" }, none: { base_url: `${first.origin}/nothing/here`, api_key: "key-canary-x", model: "n" } } };
    const started = performance.now();
    const listing = await listProviders({ env: {}, config }, signal);
    expect(performance.now() - started).toBeLessThan(2_500);
    silent.close();
    expect(listing.providers.find((provider) => provider.id === "slow")).toMatchObject({ available: true, reason: expect.stringContaining("in time"), models: [{ id: "m" }] });
    expect(JSON.stringify(listing)).not.toContain("canary");
  });

  it("naming a model asks nobody but for the answer", async () => {
    await ask({ env: { HERMES_MODEL_BASE_URL: first.url } }, { provider: "openai-compatible", model: "m" });
    expect(first.requests.map((request) => request.path)).toEqual(["/v1/chat/completions"]);
  });
});

describe("secrets", () => {
  it("are all keys of all providers, and no placeholder", () => {
    const source: ModelSource = {
      env: { OPENAI_API_KEY: "key-openai", HERMES_MODEL_API_KEY: "key-own", P2_KEY: "key-p2", OTHER: "no", OPENROUTER_API_KEY: "  " },
      config: { model: { provider: "x", api_key: "key-model" }, custom_providers: [{ name: "P1", api_key: "key-p1" }, { name: "P2", key_env: "P2_KEY" }, { name: "P3", api_key: "not-needed" }] },
    };
    expect(providerSecrets(source).toSorted()).toEqual(["key-model", "key-openai", "key-own", "key-p1", "key-p2"]);
  });

  it("limits default to what the contract says", () => {
    expect(DEFAULT_TRANSPORT_LIMITS.first_byte_timeout_ms).toBe(120_000);
  });
});
