import { useState } from "react";
import { type Look, lookCookie } from "./look";

export interface LookControl {
  readonly look: Look;
  readonly change: (changes: Partial<Look>) => void;
}

/** The page's look, and the way to change it: at once on the page, for good in the cookie. */
export function useLook(initial: Look, basePath: string): LookControl {
  const [look, setLook] = useState(initial);
  const change = (changes: Partial<Look>): void => {
    const next = { ...look, ...changes };
    setLook(next);
    document.cookie = lookCookie(next, basePath);
    const { dataset } = document.documentElement;
    dataset["theme"] = next.theme;
    dataset["text"] = next.text;
  };
  return { look, change };
}
