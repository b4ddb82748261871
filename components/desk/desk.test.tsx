import { describe, expect, it } from "vitest";
import { lookCookie, readLook } from "./look";
import { placePath, readPlace } from "./place";

describe("the look that a browser keeps", () => {
  it("comes back from its cookie as it was", () => {
    const look = { ...readLook(undefined), theme: "dark" as const, text: "125" as const, side: false, panelWidth: 400 };
    const text = lookCookie(look, "/desk");
    expect(text).toContain("Path=/desk;");
    expect(readLook(/^hermes_look=([^;]*)/.exec(text)?.[1])).toEqual(look);
  });

  it("falls back value by value, and wholly when it makes no sense", () => {
    const usual = readLook(undefined);
    expect(usual).toMatchObject({ theme: "system", text: "100", view: "detailed", side: true, sideWidth: 264 });
    for (const cookie of ["", "%", "null", "12", "[]", encodeURIComponent('{"theme":"pink","sideWidth":9000}')]) expect(readLook(cookie)).toEqual(usual);
    expect(readLook(encodeURIComponent('{"theme":"light","text":5}'))).toEqual({ ...usual, theme: "light" });
  });
});

describe("places", () => {
  it("are read from an address below the base path and written back", () => {
    expect(readPlace("/desk/s/ses_1", "run=run_2", "/desk")).toEqual({ kind: "session", sessionId: "ses_1", runId: "run_2" });
    expect(readPlace("/s/ses_1/", "", "")).toEqual({ kind: "session", sessionId: "ses_1", runId: null });
    expect(readPlace("/", "", "")).toEqual({ kind: "front" });
    expect(readPlace("/s/%E0%A4%A", "", "")).toEqual({ kind: "session", sessionId: "%E0%A4%A", runId: null });
    expect(placePath({ kind: "session", sessionId: "ses_1", runId: "run_2" }, "/desk")).toBe("/desk/s/ses_1?run=run_2");
    expect(placePath({ kind: "front" }, "")).toBe("/");
  });
});
