/**
 * How this browser likes the page: theme, text size, view, columns. Kept in one cookie, because the
 * server reads it before it draws: the first paint is right without a script, so nothing flashes and
 * no inline code has to be allowed. A cookie that makes no sense counts as none.
 */
import { z } from "zod";

export const THEMES = ["system", "light", "dark"] as const;
export const TEXT_SIZES = ["87", "100", "112", "125", "150"] as const;
export const VIEW_MODES = ["detailed", "compact", "answer"] as const;

export const SIDE_WIDTH = { least: 220, usual: 264, most: 360 } as const;
export const PANEL_WIDTH = { least: 280, usual: 320, most: 560 } as const;

const width = ({ least, usual, most }: { least: number; usual: number; most: number }) => z.number().min(least).max(most).catch(usual);

const lookSchema = z.object({
  theme: z.enum(THEMES).catch("system"),
  text: z.enum(TEXT_SIZES).catch("100"),
  view: z.enum(VIEW_MODES).catch("detailed"),
  side: z.boolean().catch(true),
  panel: z.boolean().catch(true),
  sideWidth: width(SIDE_WIDTH),
  panelWidth: width(PANEL_WIDTH),
});
export type Look = z.infer<typeof lookSchema>;

/** A column's width as the page draws it: it grows with the text, and never takes more than a third. Kept in px at the usual text size. */
export function columnWidth(pixels: number): string {
  return `min(${pixels / 16}rem, 33vw)`;
}

export const LOOK_COOKIE = "hermes_look";
const YEAR_S = 365 * 24 * 60 * 60;

export function readLook(cookie: string | undefined): Look {
  const parsed = lookSchema.safeParse(fromCookie(cookie));
  return parsed.success ? parsed.data : lookSchema.parse({});
}

function fromCookie(cookie: string | undefined): unknown {
  if (cookie === undefined) return null;
  try {
    const value: unknown = JSON.parse(decodeURIComponent(cookie));
    return value;
  } catch {
    // Not ours, or cut off: as if there were none.
    return null;
  }
}

/** The cookie's text for `document.cookie`. */
export function lookCookie(look: Look, basePath: string): string {
  return `${LOOK_COOKIE}=${encodeURIComponent(JSON.stringify(look))}; Path=${basePath === "" ? "/" : basePath}; Max-Age=${YEAR_S}; SameSite=Lax`;
}
