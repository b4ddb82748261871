/** Keys in words: what is set where, and what can be done about it. Pure. */
import type { KeyEntry } from "#protocol/profile-shapes";

/** "ends in a1b2", "http://127.0.0.1:11434": as much of it as may be shown. */
function shownWords(entry: KeyEntry): string {
  if (entry.shown === null) return "is set";
  return entry.kind === "key" ? `ends in ${entry.shown}` : `is ${entry.shown}`;
}

/** What follows the variable's name; null where it is not set. */
export function keyFact(entry: KeyEntry): string | null {
  if (entry.source === null) return null;
  if (entry.source === "environment") return `${shownWords(entry)}. The server's environment sets it, so it is changed there.`;
  return `${shownWords(entry)}.${entry.hides_environment ? " It counts before the one of the server's environment." : ""}`;
}

/** The act that sets a provider up, by what it needs first. */
export function setUpWords(entries: readonly KeyEntry[]): string {
  if (entries.some((entry) => entry.source === "profile")) return "Change";
  if (entries.length > 1) return "Connect a server";
  return entries[0]?.kind === "address" ? "Add an address" : "Add a key";
}

const FIELD: Readonly<Record<KeyEntry["kind"], string>> = { key: "Key", address: "Address", model: "Model, if it should not be the first one", other: "Value" };

/** The name of a field; where several stand together only the address must be given. */
export function fieldLabel(entry: KeyEntry, alone: boolean): string {
  if (entry.source === "profile" && entry.kind === "key") return "New key, empty to keep the old one";
  return entry.kind === "key" && !alone ? "Key, if the server asks for one" : FIELD[entry.kind];
}

const PLACEHOLDERS: Readonly<Record<string, string>> = { OLLAMA_HOST: "http://127.0.0.1:11434", LMSTUDIO_HOST: "http://127.0.0.1:1234", HERMES_MODEL_BASE_URL: "http://127.0.0.1:8000/v1" };

export function fieldPlaceholder(entry: KeyEntry): string {
  return PLACEHOLDERS[entry.name] ?? "";
}

/** What a form's fields change: filled ones are set, an emptied one that was shown whole is taken out, the rest stays. */
export function changesOf(entries: readonly KeyEntry[], fields: Readonly<Record<string, string>>): Readonly<Record<string, string | null>> {
  const changes = entries.flatMap((entry): readonly (readonly [string, string | null])[] => {
    const written = (fields[entry.name] ?? "").trim();
    if (!entry.editable || written === (startOf(entry) ?? "")) return [];
    return [[entry.name, written === "" ? null : written]];
  });
  return Object.fromEntries(changes);
}

/** What a field begins with: an address is there to be changed, a key never is. */
export function startOf(entry: KeyEntry): string | null {
  return entry.kind === "key" || entry.source !== "profile" ? null : entry.shown;
}
