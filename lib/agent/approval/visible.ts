/**
 * The command as it is shown to the person who decides: whatever would be invisible, would reorder
 * the text or would act on a terminal becomes a visible escape (`\u{202E}`, `\r`, `\t`). Newlines
 * stay. What is shown is for reading; what runs is always the original.
 */

/**
 * Controls, formats, private use and unassigned code points, separators other than the plain space,
 * lone surrogates, and letters that are drawn as nothing (Hangul fillers, the blank Braille cell).
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\r": "\\r", "\t": "\\t" };

/** `text` with visible escapes; joiners inside an emoji sequence stay, they draw one sign. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (character, offset: number) => {
    if (character === "\n" || isInsideEmoji(text, character, offset)) return character;
    return SHORT_ESCAPES[character] ?? `\\u{${codePoint(character).toString(16).toUpperCase()}}`;
  });
}

const EMOJI_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}]$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;

/** Whether a zero-width joiner or a variation selector only helps to draw an emoji. */
export function isInsideEmoji(text: string, character: string, offset: number): boolean {
  if (character !== "\u{200D}" && character !== "\u{FE0F}") return false;
  if (!EMOJI_BEFORE.test(text.slice(Math.max(0, offset - 2), offset))) return false;
  return character === "\u{FE0F}" || EMOJI_AFTER.test(text.slice(offset + 1, offset + 3));
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}
