/**
 * The page's keys (one listener on the document). Which command a key means is pure; what it does is
 * the page's. A key that something closer already took (a menu, a dialog, the composer) is left alone.
 */
import { useEffect, useEffectEvent } from "react";

export type Hotkey = "palette" | "sessions" | "panel" | "find" | "lastMessage" | "prompt" | "region" | "regionBack" | "escape";

interface KeyPress {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const BY_LETTER: Readonly<Record<string, Hotkey>> = { k: "palette", b: "sessions", ".": "panel", f: "find", arrowup: "lastMessage", j: "prompt" };

/** The command that a key means, or null. `mac`: ⌘ is the modifier there, Ctrl elsewhere. */
export function hotkeyOf(press: KeyPress, mac: boolean): Hotkey | null {
  if (press.altKey) return null;
  if (press.key === "F6") return press.shiftKey ? "regionBack" : "region";
  const modifier = mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  if (press.key === "Escape" && !press.metaKey && !press.ctrlKey && !press.shiftKey) return "escape";
  if (!modifier || press.shiftKey) return null;
  return BY_LETTER[press.key.toLowerCase()] ?? null;
}

export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

export type HotkeyActions = Readonly<Partial<Record<Hotkey, () => void>>>;

/** Where ↑ with the modifier moves in a text that is being written, it stays with the text. */
function belongsToText(hotkey: Hotkey, target: EventTarget | null): boolean {
  if (hotkey !== "lastMessage") return false;
  return (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) && target.value !== "";
}

/** One listener for as long as the component is there; the deeds are those of the latest render. */
export function useHotkeys(actions: HotkeyActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const hotkey = hotkeyOf(event, isMac());
    const action = hotkey === null ? undefined : actions[hotkey];
    if (hotkey === null || action === undefined || belongsToText(hotkey, event.target)) return;
    // A layer that is open has its own Escape.
    if (hotkey === "escape" && document.querySelector("[role=dialog],[role=alertdialog],[role=menu]") !== null) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** F6 walks the regions of the page in their order; the composer's region is its field. */
export function focusRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region],[data-prompt]")].filter((region) => region.offsetParent !== null);
  const current = regions.findLastIndex((region) => region.contains(document.activeElement));
  const next = regions[(current + step + regions.length) % regions.length] ?? regions[0];
  const field = next?.matches("form") === true ? next.querySelector("textarea") : null;
  (field ?? next)?.focus();
}
