import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, REDACTED } from "./redact";

const KEY = "hunter2/Correct+Horse?7Q2";
const SHORT = "p4ss";
const redactor = createRedactor(() => [KEY, SHORT, "hunter2/Correct"]);

describe("a whole value", () => {
  it.each([
    ["the key is hunter2/Correct+Horse?7Q2.", "the key is [redacted]."],
    [`twice ${KEY}${KEY} and ${SHORT}`, "twice [redacted][redacted] and [redacted]"],
    ["only its beginning: hunter2/Corr", "only its beginning: hunter2/Corr"],
    ["hunter2/Correct+Horse? is near, its part is known", "[redacted]+Horse? is near, its part is known"],
    ["in a URL ?key=hunter2%2FCorrect%2BHorse%3F7Q2&x", "in a URL ?key=[redacted]&x"],
    ["lower case hunter2%2fCorrect%2bHorse%3f7Q2", "lower case [redacted]"],
    ["OPENAI=sk-proj-abcDEF0123456789_-xyz", "OPENAI=[redacted]"],
    ["a task-force of risk-averse people, sk-short, sk-loading-indicator-wrapper", "a task-force of risk-averse people, sk-short, sk-loading-indicator-wrapper"],
    ["ghp_0123456789abcdefghij0123456789abcdef", "[redacted]"],
    ["github_pat_11ABCDEFG0abcdefghijkl_xyz end", "[redacted] end"],
    ["id AKIAIOSFODNN7EXAMPLE, more", "id [redacted], more"],
    ["xoxb-123456789012-abcdef AIzaSyA-0123456789abcdefghijklmnopqrst glpat-abc123def456ghi789", "[redacted] [redacted] [redacted]"],
    ["Authorization: Bearer abcdef0123456789.abc~x\nnext", "Authorization: Bearer [redacted]\nnext"],
    ["bearer of good news and Bearer tokens", "bearer of good news and Bearer tokens"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123 ok", "[redacted] ok"],
    ["eyJub3QiOiJhIHRva2VuIn0= is just JSON", "eyJub3QiOiJhIHRva2VuIn0= is just JSON"],
    ["line\\nsk-abcdefgh12345678 in JSON", "line\\n[redacted] in JSON"],
    ["------ a rule ------", "------ a rule ------"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\nabc\n-----END RSA PRIVATE KEY-----\nafter", "[redacted]\nafter"],
    ["x -----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\" y", "x [redacted]\" y"],
    ["a file that starts with `-----BEGIN PRIVATE KEY-----` holds a key", "a file that starts with `[redacted]` holds a key"],
    ["-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"],
  ])("%s", (text, expected) => {
    expect(redactor.text(text)).toBe(expected);
  });

  it("finds a known value whole in base64, wherever it stood", () => {
    for (const before of ["", "u", "us", "user:", "a b"]) {
      for (const alphabet of ["base64", "base64url"] as const) {
        const text = Buffer.from(`${before}${KEY}\n`).toString(alphabet);
        const out = redactor.text(`x ${text} y`);
        expect(out).toContain(REDACTED);
        expect(Buffer.from(out.slice(2, -2).replace(REDACTED, ""), "base64").toString("latin1")).not.toMatch(/hunt|orrect|Horse/);
      }
    }
  });

  it("walks JSON, keys too, and keeps the reference where nothing changed", () => {
    const clean = { a: [1, "two", { b: null }], toString: "x" };
    expect(redactor.json(clean)).toEqual({ value: clean, changed: false });
    expect(redactor.json(clean).value).toBe(clean);
    const dirty = { list: [`x${KEY}`, 2], nested: { [`k_${KEY}`]: SHORT, stays: true } };
    const found = redactor.json(dirty);
    expect(found).toEqual({ value: { list: ["x[redacted]", 2], nested: { "k_[redacted]": "[redacted]", stays: true } }, changed: true });
    expect(dirty.list[0]).toBe(`x${KEY}`);
    expect(redactor.json(JSON.parse('{"__proto__": {"k": "p4ss"}}')).value).toEqual(JSON.parse('{"__proto__": {"k": "[redacted]"}}'));
  });

  it("knows a secret from the moment it was added", () => {
    const secrets = ["first-secret"];
    const growing = createRedactor(() => secrets);
    expect(growing.text("second-secret")).toBe("second-secret");
    secrets.push("second-secret");
    expect(growing.text("second-secret")).toBe(REDACTED);
  });
});

describe("text in pieces", () => {
  it("holds nothing back for up to three characters, and from four on only what may be a secret", () => {
    const stream = redactor.stream();
    expect(stream.push("say hun")).toBe("say hun");
    expect(stream.holds).toBe(false);
    expect(stream.push("t")).toBe("");
    expect(stream.holds).toBe(true);
    expect(stream.push("er in the forest")).toBe("ter in the forest");
    expect(stream.push(" sk-a")).toBe(" ");
    expect(stream.flush()).toBe("sk-a");
    expect(stream.holds).toBe(false);
  });

  it("goes on after what was held had to be let go: the rest of the secret is still replaced", () => {
    const stream = redactor.stream();
    expect(stream.push("key hunter2/Cor")).toBe("key ");
    expect(stream.flush()).toBe("hunter2/Cor");
    expect(stream.push("rect+Horse?7Q2 end") + stream.flush()).toBe("[redacted] end");
  });

  it("is the same wherever it is cut, save the first three characters of a secret", () => {
    const piece = fc.constantFrom(KEY, SHORT, "hunter2/Correct", "hunter2", "sk-abcdefgh12345678", "AKIAIOSFODNN7EXAMPLE", "Bearer abcdef0123456789", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", encodeURIComponent(KEY), Buffer.from(KEY).toString("base64"), " ", "\n", "ordinary words", "p4", "sk-", "-", "é🧪");
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 6 })), { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 40 }), (whole, cuts) => {
        const stream = redactor.stream();
        let out = "";
        const places = [...new Set(cuts.map((cut) => Math.min(cut, whole.length)))].sort((a, b) => a - b);
        for (const [index, place] of [...places, whole.length].entries()) out += stream.push(whole.slice(index === 0 ? 0 : places[index - 1], place));
        out += stream.end();
        const expected = redactor.text(whole);
        const lenient = expected.split(REDACTED).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^]{0,3}\\[redacted\\]");
        expect(out).toMatch(new RegExp(`^${lenient}$`));
        for (const secret of [KEY, SHORT]) expect(out).not.toContain(secret);
      }),
      { numRuns: 400 },
    );
  });

  it("takes linear time, also where every character begins something", () => {
    const hostile = createRedactor(() => ["a".repeat(4000), `${"ab".repeat(2000)}c`]);
    const texts = ["a".repeat(200_000), "ab".repeat(100_000), "sk-".repeat(66_000), "-".repeat(200_000), "eyJa.".repeat(40_000), "Bearer ".repeat(28_000)];
    for (const text of texts) {
      const begun = performance.now();
      hostile.text(text);
      expect(performance.now() - begun).toBeLessThan(6000);
    }
    const stream = hostile.stream();
    const begun = performance.now();
    for (let count = 0; count < 20_000; count += 1) stream.push("a few words ");
    expect(performance.now() - begun).toBeLessThan(6000);
  });
});
