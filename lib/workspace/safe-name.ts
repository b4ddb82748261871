/**
 * A file name as a stranger gave it, made into one that is only a name: no folders of any system,
 * no control, direction or invisible characters, no leading dot, short enough for every file system.
 */
const MAX_BYTES = 120;
/** Zero-width, direction and byte order marks: they make a name look like another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

function cutToBytes(text: string, limit: number): string {
  let kept = "";
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    kept += character;
  }
  return kept;
}

/** The name in its two parts; the extension has its dot, and is "" when there is none. */
function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf(".");
  const hasExtension = dot > 0 && name.length - dot <= 16;
  return hasExtension ? { stem: name.slice(0, dot), extension: name.slice(dot) } : { stem: name, extension: "" };
}

/** Always a usable name; "file" where nothing of the given one is left. */
export function toSafeName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const clean = last.normalize("NFC").replace(INVISIBLE, "").replace(/[:*?"<>|]/g, "_").trim().replace(/^\.+/, "").replace(/[. ]+$/, "");
  const { stem, extension } = splitName(clean === "" ? "file" : clean);
  return cutToBytes(stem, MAX_BYTES - Buffer.byteLength(extension)) + extension;
}

/** The n-th name of that kind: `kite.png`, `kite (2).png`, … */
export function numberedName(name: string, number: number): string {
  const { stem, extension } = splitName(name);
  return number === 1 ? name : `${stem} (${number})${extension}`;
}
