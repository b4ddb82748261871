/**
 * Terminal output as lines of styled pieces.
 *
 * Tools print for a terminal: colours, progress bars that go back to the line's start, window titles,
 * links. Of that only what can be drawn as text is kept: SGR colours and weights, carriage return,
 * backspace, erasing and moving within the line. All else (OSC with titles and links, charset and
 * mode switches, BEL, any other control character) is dropped, so no escape byte reaches the page and
 * no link of a tool's output is active. Text that holds no control character stays byte for byte.
 */
export interface AnsiPiece {
  readonly text: string;
  /** Class names of `globals.css`, "" for plain text. */
  readonly style: string;
}
export type AnsiLine = readonly AnsiPiece[];

interface Pen {
  readonly colour: string;
  readonly flags: ReadonlySet<string>;
}
interface Cell {
  readonly text: string;
  readonly style: string;
}

const PLAIN: Pen = { colour: "", flags: new Set() };
const FLAG_ON: Readonly<Record<number, string>> = { 1: "a-bold", 2: "a-dim", 3: "a-italic", 4: "a-underline", 7: "a-mark", 9: "a-strike" };
const FLAGS_OFF: Readonly<Record<number, readonly string[]>> = {
  22: ["a-bold", "a-dim"],
  23: ["a-italic"],
  24: ["a-underline"],
  27: ["a-mark"],
  29: ["a-strike"],
};

// One control sequence: CSI, a string command up to BEL or ST (or the end, when it is cut), another escape, or one control character.
const CONTROL =
  // eslint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[\s\S]*?(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// eslint-disable-next-line no-control-regex
const HAS_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** The text as lines; a last line break makes no empty line of its own. */
export function parseAnsi(text: string): readonly AnsiLine[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  if (!HAS_CONTROL.test(text)) return lines.map((line) => (line === "" ? [] : [{ text: line, style: "" }]));
  const result: AnsiLine[] = [];
  let pen = PLAIN;
  let open = "";
  for (const [index, line] of lines.entries()) {
    const whole = open + line;
    // A string command may hold line breaks: it ends on a later line.
    if (index < lines.length - 1 && endsInsideString(whole)) {
      open = `${whole}\n`;
      continue;
    }
    open = "";
    const drawn = drawLine(whole, pen);
    pen = drawn.pen;
    result.push(drawn.line);
  }
  return result;
}

/** The same text with nothing but its visible characters, for copying and searching. */
export function plainText(text: string): string {
  if (!HAS_CONTROL.test(text)) return text;
  return parseAnsi(text)
    .map((line) => line.map((piece) => piece.text).join(""))
    .join("\n");
}

function endsInsideString(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  const start = Math.max(text.lastIndexOf("\u001b]"), text.lastIndexOf("\u009d"), text.lastIndexOf("\u001bP"));
  if (start < 0) return false;
  // eslint-disable-next-line no-control-regex
  return text.length - start < 4096 && !/\u0007|\u001b\\|\u009c/.test(text.slice(start + 1));
}

function drawLine(source: string, startPen: Pen): { readonly line: AnsiLine; readonly pen: Pen } {
  const line = source.endsWith("\r") ? source.slice(0, -1) : source;
  if (!HAS_CONTROL.test(line)) return { line: line === "" ? [] : [{ text: line, style: styleOf(startPen) }], pen: startPen };
  const cells: Cell[] = [];
  let pen = startPen;
  let column = 0;
  let last = 0;
  const write = (text: string): void => {
    const style = styleOf(pen);
    for (const character of text) {
      while (cells.length < column) cells.push({ text: " ", style: "" });
      cells[column] = { text: character, style };
      column += 1;
    }
  };
  for (const match of line.matchAll(CONTROL)) {
    write(line.slice(last, match.index));
    last = match.index + match[0].length;
    const final = match[2];
    if (final === "m") pen = applyGraphics(pen, match[1] ?? "");
    else if (final !== undefined) column = moveWithinLine(cells, column, match[1] ?? "", final);
    else if (match[0] === "\r") column = 0;
    else if (match[0] === "\b") column = Math.max(0, column - 1);
  }
  write(line.slice(last));
  return { line: joined(cells), pen };
}

/** Moves and erasures that stay in the line; returns the new column. */
function moveWithinLine(cells: Cell[], column: number, parameters: string, final: string): number {
  const count = Math.min(Number.parseInt(parameters, 10) || 0, 2000);
  if (final === "K") {
    if (count === 0) cells.length = Math.min(cells.length, column);
    else for (let index = 0; index < (count === 2 ? cells.length : Math.min(column + 1, cells.length)); index += 1) cells[index] = { text: " ", style: "" };
    return column;
  }
  if (final === "G") return Math.max(0, count - 1);
  if (final === "D") return Math.max(0, column - Math.max(1, count));
  if (final === "C") return Math.min(column + Math.max(1, count), 2000);
  return column;
}

function joined(cells: readonly Cell[]): AnsiLine {
  const pieces: AnsiPiece[] = [];
  for (const cell of cells) {
    const last = pieces.at(-1);
    if (last !== undefined && last.style === cell.style) pieces[pieces.length - 1] = { text: last.text + cell.text, style: last.style };
    else pieces.push({ text: cell.text, style: cell.style });
  }
  return pieces;
}

function styleOf(pen: Pen): string {
  return [pen.colour, ...pen.flags].filter((name) => name !== "").join(" ");
}

function applyGraphics(pen: Pen, parameters: string): Pen {
  const codes = parameters === "" ? [0] : parameters.split(/[;:]/).map((code) => Number.parseInt(code, 10) || 0);
  let { colour } = pen;
  const flags = new Set(pen.flags);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    const on = FLAG_ON[code];
    if (code === 0) {
      colour = "";
      flags.clear();
    } else if (on !== undefined) flags.add(on);
    else if (FLAGS_OFF[code] !== undefined) for (const flag of FLAGS_OFF[code]) flags.delete(flag);
    else if (code >= 30 && code <= 37) colour = `a-${code - 30}`;
    else if (code >= 90 && code <= 97) colour = `a-${code - 90} a-bright`;
    else if (code === 39) colour = "";
    else if (code === 38 || code === 48) {
      const extended = extendedColour(codes.slice(index + 1));
      if (code === 38) colour = extended.colour;
      index += extended.length;
    }
  }
  return { colour, flags };
}

/** 256 and true colours come down to the eight that have a token. */
function extendedColour(codes: readonly number[]): { readonly colour: string; readonly length: number } {
  if (codes[0] === 2) return { colour: nearest(codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0), length: 4 };
  if (codes[0] !== 5) return { colour: "", length: 0 };
  const code = codes[1] ?? 0;
  if (code < 8) return { colour: `a-${code}`, length: 2 };
  if (code < 16) return { colour: `a-${code - 8} a-bright`, length: 2 };
  if (code >= 232) return { colour: code < 250 ? "a-0" : "a-7", length: 2 };
  const cube = code - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return { colour: nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)), length: 2 };
}

function nearest(red: number, green: number, blue: number): string {
  const high = Math.max(red, green, blue);
  const low = Math.min(red, green, blue);
  if (high - low < 40) return high < 170 ? "a-0" : "a-7";
  const threshold = low + (high - low) * 0.5;
  const bits = (red > threshold ? 1 : 0) + (green > threshold ? 2 : 0) + (blue > threshold ? 4 : 0);
  return `a-${bits}`;
}
