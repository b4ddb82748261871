import { describe, expect, it } from "vitest";
import { askAuxiliary } from "./auxiliary";
import type { ModelPart, ModelPort } from "./model/model-port";

describe("a request beside the conversation", () => {
  it("takes no more than it asked for from a model that does not stop, and lets it go", async () => {
    let closed = false;
    const port: ModelPort = {
      provider: "endless",
      async *stream(): AsyncGenerator<ModelPart, void, undefined> {
        try {
          for (;;) yield { type: "text", text: "more and more ".repeat(100) };
        } finally {
          closed = true;
        }
      },
    };
    const answer = await askAuxiliary({ port, model: "m", task: "Hermes title", instructions: "", content: "", timeout_ms: 5_000, max_output_tokens: 500, signal: new AbortController().signal });
    expect(closed).toBe(true);
    expect(answer).toMatchObject({ ok: true });
    expect(answer.ok ? answer.text.length : 0).toBeLessThan(10_000);
  });
});
