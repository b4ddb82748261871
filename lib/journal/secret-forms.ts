/** The ways in which a known value may stand in a text: as it is, in JSON, in base64, percent-encoded. */

/** Shorter ones are ordinary words: replacing them would tear every text apart. */
const LEAST_CHARACTERS = 4;
/** Encoded forms of short values are too short to mean anything. */
const LEAST_TO_ENCODE = 8;

export function secretForms(values: readonly string[]): readonly string[] {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < LEAST_CHARACTERS) continue;
    forms.add(value);
    forms.add(JSON.stringify(value).slice(1, -1));
    if (value.length < LEAST_TO_ENCODE) continue;
    for (const form of [...base64Forms(value), ...percentForms(value)]) forms.add(form);
  }
  return [...forms];
}

/**
 * Base64 of the value wherever it stands in what was encoded: three alignments, and of each the
 * characters that depend on the value alone. In both alphabets.
 */
function base64Forms(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const core = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function percentForms(value: string): readonly string[] {
  const usual = encodeURIComponent(Buffer.from(value).toString());
  const strict = usual.replace(/[!'()*]/g, (character) => `%${hex(character.charCodeAt(0))}`);
  const all = [...Buffer.from(value)].map((byte) => `%${hex(byte)}`).join("");
  const forms = [usual, strict, usual.replaceAll("%20", "+"), strict.replaceAll("%20", "+"), all];
  return forms.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}
