import { describe, expect, it } from "vitest";
import type { KeyEntry } from "#protocol/profile-shapes";
import { changesOf, fieldLabel, keyFact, setUpWords } from "./key-words";

const key: KeyEntry = { name: "OPENAI_API_KEY", provider: "openai", kind: "key", source: null, shown: null, hides_environment: false, editable: true };
const address: KeyEntry = { ...key, name: "HERMES_MODEL_BASE_URL", provider: "openai-compatible", kind: "address" };
const own = { source: "profile" as const };

describe("keys in words", () => {
  it("say where one is set and never more than its end", () => {
    expect(keyFact(key)).toBeNull();
    expect(keyFact({ ...key, ...own, shown: "a1b2" })).toBe("ends in a1b2.");
    expect(keyFact({ ...key, ...own })).toBe("is set.");
    expect(keyFact({ ...key, ...own, shown: "a1b2", hides_environment: true })).toMatch(/counts before the one of the server's environment/);
    expect(keyFact({ ...key, source: "environment", shown: "a1b2", editable: false })).toMatch(/^ends in a1b2\. The server's environment sets it/);
    expect(keyFact({ ...address, ...own, shown: "http://127.0.0.1:9/v1" })).toBe("is http://127.0.0.1:9/v1.");
  });

  it("name the act by what is needed", () => {
    expect(setUpWords([key])).toBe("Add a key");
    expect(setUpWords([address])).toBe("Add an address");
    expect(setUpWords([address, key])).toBe("Connect a server");
    expect(setUpWords([address, { ...key, ...own }])).toBe("Change");
    expect(fieldLabel(key, true)).toBe("Key");
    expect(fieldLabel(key, false)).toBe("Key, if the server asks for one");
  });
});

describe("a form's changes", () => {
  const entries = [{ ...address, ...own, shown: "http://a/v1" }, { ...key, ...own, shown: "a1b2" }, { ...key, name: "FIXED", source: "environment" as const, editable: false }];

  it("are what was filled in; an untouched field and an empty key change nothing", () => {
    expect(changesOf(entries, { HERMES_MODEL_BASE_URL: "http://a/v1", OPENAI_API_KEY: "", FIXED: "x" })).toEqual({});
    expect(changesOf(entries, { HERMES_MODEL_BASE_URL: " http://b/v1 ", OPENAI_API_KEY: "new" })).toEqual({ HERMES_MODEL_BASE_URL: "http://b/v1", OPENAI_API_KEY: "new" });
    expect(changesOf(entries, { HERMES_MODEL_BASE_URL: "", OPENAI_API_KEY: "" })).toEqual({ HERMES_MODEL_BASE_URL: null });
  });
});
