/**
 * Text of a tool as it really is: characters that hide, reorder or steer (control, format, bidi, odd
 * spaces) are written out, so that what is read on a card is what will run (B067).
 */
// Line breaks and tabs show as themselves. Everything else that draws nothing, or moves what is drawn, is written out.
// eslint-disable-next-line no-control-regex
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

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
