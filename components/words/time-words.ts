/** Times and durations as the page writes them: numbers with units, 24 hours, the reader's zone. */

/** A finished duration in milliseconds: "0.4 s", "48.2 s", "2 min 14 s", "1 h 3 min". */
export function durationWords(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 50) return "under 0.1 s";
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 59.95) return `${Number(seconds.toFixed(1))} s`;
  return wholeDurationWords(seconds);
}

/** A duration that still runs, in whole units so that it does not flicker: "12 s", "1 min 52 s". */
export function wholeDurationWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds + 0.0001));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return withRest(minutes, "min", whole % 60, "s");
  return withRest(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function withRest(count: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${restUnit}`;
}

/** Elapsed time in a list row, as narrow as can be: "0:07", "3:06", "1:02:09". */
export function clockWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const tail = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** What is left until `expiresAt`, both in Unix seconds: seconds in the last ten minutes, then minutes. */
export function remainingWords(expiresAt: number, now: number): string {
  const left = Math.max(0, Math.ceil(expiresAt - now));
  return left < 600 ? wholeDurationWords(left) : wholeDurationWords(Math.ceil(left / 60) * 60);
}

/** The hour of a Unix time, "14:02". */
export function hourWords(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"] as const;

/** Whole calendar days between two Unix times in the reader's zone, 0 for the same day. */
export function daysBetween(earlier: number, later: number): number {
  const start = new Date(earlier * 1000);
  const end = new Date(later * 1000);
  const startDay = Date.UTC(start.getFullYear(), start.getMonth(), start.getDate());
  const endDay = Date.UTC(end.getFullYear(), end.getMonth(), end.getDate());
  return Math.round((endDay - startDay) / 86_400_000);
}

/** When a row last changed: the hour today and yesterday, then the weekday, then the date. */
export function shortDateWords(seconds: number, now: number): string {
  const days = daysBetween(seconds, now);
  if (days <= 1) return hourWords(seconds);
  const date = new Date(seconds * 1000);
  if (days < 7) return WEEKDAYS[date.getDay()] ?? "";
  return `${date.getDate()} ${monthName(date.getMonth()).slice(0, 3)}`;
}

/** The hour, with the day before it when that is not today: "14:02", "Tue 14:02", "3 Mar 14:02". */
export function momentWords(seconds: number, now: number): string {
  const days = daysBetween(seconds, now);
  if (days <= 0) return hourWords(seconds);
  const date = new Date(seconds * 1000);
  const day = days < 7 ? WEEKDAYS[date.getDay()] : `${date.getDate()} ${monthName(date.getMonth()).slice(0, 3)}`;
  return `${day} ${hourWords(seconds)}`;
}

export function monthName(month: number): string {
  return MONTHS[month] ?? "";
}
