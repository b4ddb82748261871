import { expect, it } from "vitest";
import { callResultSchema, outcomeOf } from "./call-result";

const read = (answer: unknown) => outcomeOf(callResultSchema.parse(answer));

it("joins texts and names what is no text", () => {
  const content = [
    { type: "text", text: "one" },
    { type: "audio", data: "QUJDRA==", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a.txt", text: "inside" } },
    { type: "resource", resource: { uri: "file:///a.bin", blob: "QUJD" } },
    { type: "resource_link", uri: "file:///b", name: "b" },
    { type: "hologram" },
    "what",
  ];
  expect(read({ content })).toEqual({
    status: "ok",
    result: [
      "one",
      "[audio audio/wav, 4 bytes, not shown]",
      "file:///a.txt:\ninside",
      "file:///a.bin [content, 3 bytes, not shown]",
      "[link] b file:///b",
      "[a part of an unknown kind, not shown]",
      "[a part of an unknown kind, not shown]",
    ].join("\n"),
  });
});

it("takes what a server that bends the protocol may have meant", () => {
  expect(read({ content: "hello", isError: "yes" })).toEqual({ status: "ok", result: "(an empty answer)" });
  expect(read({})).toMatchObject({ status: "ok", result: "(an empty answer)" });
  expect(read({ content: [{ type: "text", text: " \u001b[31m\u0007" }], isError: true })).toEqual({ status: "error", result: "(an empty answer)" });
});
