/**
 * What a person has allowed for good: pattern keys that "Always approve" wrote, and commands or globs
 * that a person wrote by hand into `command_allowlist`. A hand-written entry is for one simple
 * command: where a second one could hide (`;`, `&`, `|`, a redirect, `$(…)`, a new line) it says nothing.
 */
import { globPattern } from "./glob-pattern";
import { PATTERNS } from "./patterns";

const MAX_CHARACTERS = 4_096;
const COMPOUND = /[;&|<>`\n\r]|\$\(/;

export function isCommandAllowed(command: string, allowlist: readonly string[]): boolean {
  const text = command.trim();
  if (text.length > MAX_CHARACTERS || COMPOUND.test(text)) return false;
  return allowlist.filter((entry) => !(entry in PATTERNS)).some((entry) => matchesEntry(text, entry.trim()));
}

function matchesEntry(command: string, entry: string): boolean {
  if (entry === "" || /^\*+$/.test(entry)) return false;
  return command === entry || (/[*?[]/.test(entry) && globPattern(entry, "", "whole").test(command));
}
