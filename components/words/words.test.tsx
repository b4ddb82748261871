import { describe, expect, it } from "vitest";
import { costWords, countOf, sizeWords, spelled, tokenWords } from "./count-words";
import { clockWords, daysBetween, durationWords, hourWords, momentWords, remainingWords, shortDateWords, wholeDurationWords } from "./time-words";

const at = (text: string): number => new Date(text).getTime() / 1000;

describe("durations", () => {
  it("shows tenths below a minute and two units above", () => {
    expect(durationWords(0)).toBe("0 s");
    expect(durationWords(31)).toBe("under 0.1 s");
    expect(durationWords(412)).toBe("0.4 s");
    expect(durationWords(48_230)).toBe("48.2 s");
    expect(durationWords(59_960)).toBe("59 s");
    expect(durationWords(134_000)).toBe("2 min 14 s");
    expect(durationWords(120_000)).toBe("2 min");
    expect(durationWords(3_780_000)).toBe("1 h 3 min");
  });

  it("counts a running duration in whole seconds", () => {
    expect(wholeDurationWords(12.9)).toBe("12 s");
    expect(wholeDurationWords(112)).toBe("1 min 52 s");
    expect(wholeDurationWords(-3)).toBe("0 s");
    expect(clockWords(186)).toBe("3:06");
    expect(clockWords(7)).toBe("0:07");
    expect(clockWords(3729)).toBe("1:02:09");
  });

  it("says what is left in seconds at the end and in minutes before", () => {
    expect(remainingWords(1252, 1000)).toBe("4 min 12 s");
    expect(remainingWords(1058, 1000)).toBe("58 s");
    expect(remainingWords(1000 + 3225, 1000)).toBe("54 min");
    expect(remainingWords(900, 1000)).toBe("0 s");
  });
});

describe("times of day", () => {
  const now = at("2026-03-12T14:30:00");
  it("gives the hour today and yesterday, then the weekday, then the date", () => {
    expect(hourWords(at("2026-03-12T09:05:00"))).toBe("09:05");
    expect(shortDateWords(at("2026-03-12T09:12:00"), now)).toBe("09:12");
    expect(shortDateWords(at("2026-03-11T18:45:00"), now)).toBe("18:45");
    expect(shortDateWords(at("2026-03-10T10:00:00"), now)).toBe("Tue");
    expect(shortDateWords(at("2026-02-03T10:00:00"), now)).toBe("3 Feb");
    expect(momentWords(at("2026-03-12T14:02:00"), now)).toBe("14:02");
    expect(momentWords(at("2026-03-11T14:02:00"), now)).toBe("Wed 14:02");
  });

  it("counts calendar days, not spans of 24 hours", () => {
    expect(daysBetween(at("2026-03-11T23:59:00"), at("2026-03-12T00:01:00"))).toBe(1);
    expect(daysBetween(at("2026-03-12T00:01:00"), at("2026-03-12T23:59:00"))).toBe(0);
  });
});

describe("counts", () => {
  it("shortens tokens and keeps what small numbers say", () => {
    expect([840, 2400, 31_200, 128_000, 99_960, 1_200_000].map(tokenWords)).toEqual(["840", "2.4k", "31.2k", "128k", "100k", "1.2M"]);
  });

  it("gives sizes, costs and plurals their units", () => {
    expect([1, 999, 84_000, 1_234_567, 12_345_678].map(sizeWords)).toEqual(["1 byte", "999 bytes", "84 KB", "1.2 MB", "12 MB"]);
    expect([0.061, 12.4, 0.002, 0].map(costWords)).toEqual(["$0.06", "$12.40", "under $0.01", "$0.00"]);
    expect(countOf(1, "line")).toBe("1 line");
    expect(countOf(1204, "file")).toBe("1,204 files");
    expect([2, 12].map(spelled)).toEqual(["two", "12"]);
  });
});
