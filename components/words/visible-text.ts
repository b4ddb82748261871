/**
 * Text of a tool as it really is: characters that hide, reorder or steer (control, format, bidi, odd
 * spaces) are written out, so that what is read on a card is what will run (B067).
 */
// Line breaks, tabs and plain spaces show as themselves. Every other control, format, space or ignorable character is written out.
const HIDDEN = /(?![ \n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const SHORT: Readonly<Record<string, string>> = { "\r": "\\r", "\u001b": "\\e", "\u0007": "\\a", "\b": "\\b", "\u0000": "\\0" };

export interface VisiblePiece {
  readonly text: string;
  /** Written out in place of a character that does not show. */
  readonly escaped: boolean;
}

export function visiblePieces(text: string): readonly VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  let last = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > last) pieces.push({ text: text.slice(last, match.index), escaped: false });
    pieces.push({ text: escapeOf(match[0]), escaped: true });
    last = match.index + match[0].length;
  }
  if (last < text.length || pieces.length === 0) pieces.push({ text: text.slice(last), escaped: false });
  return pieces;
}

export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeOf);
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return SHORT[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`);
}
