import { describe, expect, it } from "vitest";
import { safeText } from "./safe-text";

const KEY = "canary+key/9=";

describe("a provider's words made safe (B244)", () => {
  it.each([
    ["plain", KEY],
    ["percent-encoded", encodeURIComponent(KEY)],
    ["base64", Buffer.from(KEY).toString("base64")],
    ["base64url", Buffer.from(KEY).toString("base64url")],
  ])("the key %s is gone", (_what, form) => {
    expect(safeText(`before ${form} after`, [KEY])).toBe("before [redacted] after");
  });

  it.each([
    ["see https://user:pass@host/path", "see https://host/path"],
    ["GET https://host/v1?alt=sse&key=abcdef", "GET https://host/v1?alt=sse&key=[redacted]"],
    ["Authorization: Bearer abcdefghijk", "Authorization: [redacted]"],
    ["key sk-proj-abcdefgh was refused", "key [redacted] was refused"],
    ["a\u0000b\nc", "a b c"],
  ])("%s", (text, safe) => {
    expect(safeText(text, [])).toBe(safe);
  });

  it("is bounded, and cut only after the keys are gone", () => {
    expect(safeText(`${"x".repeat(15)}${KEY}`, [KEY], 20)).toBe("xxxxxxxxxxxxxxx[reda…");
  });
});
