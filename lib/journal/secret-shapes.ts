/**
 * Strings that look like a secret though nobody told us: keys with a known prefix, bearer tokens,
 * JWTs, private keys. Matched character by character, so that a piece of text is never read twice.
 */

/** What was read after the prefix of a shape. */
interface Body {
  length: number;
  digits: number;
  dots: number;
  sinceDot: number;
}

interface Shape {
  readonly prefix: string;
  /** How much of the prefix stays readable. */
  readonly keep: number;
  readonly accepts: (code: number) => boolean;
  /** Enough to be sure. */
  readonly sure: (body: Body) => boolean;
  /** It cannot become one any more. */
  readonly hopeless: (body: Body) => boolean;
}

/** A key without a digit among so many characters is a word. */
const MOST_WORD = 64;

const TOKEN = classOf(/[A-Za-z0-9_-]/);
const ALPHANUMERIC = classOf(/[A-Za-z0-9]/);
const UPPER = classOf(/[A-Z0-9]/);
const BEARER = classOf(/[A-Za-z0-9._~+/=-]/);
const JWT = classOf(/[A-Za-z0-9_.-]/);
const DIGIT = classOf(/[0-9]/);
const WORD = classOf(/[A-Za-z0-9_]/);

function keyed(prefix: string, accepts: (code: number) => boolean, least: number): Shape {
  return { prefix, keep: 0, accepts, sure: ({ length, digits }) => length >= least && digits > 0, hopeless: ({ length }) => length > MOST_WORD };
}

const bearer = (prefix: string): Shape => ({ ...keyed(prefix, BEARER, 16), keep: prefix.length });

const SHAPES: readonly Shape[] = [
  keyed("sk-", TOKEN, 16),
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix) => keyed(prefix, ALPHANUMERIC, 20)),
  keyed("github_pat_", classOf(/[A-Za-z0-9_]/), 20),
  ...["AKIA", "ASIA"].map((prefix) => ({ ...keyed(prefix, UPPER, 16), sure: ({ length }: Body) => length >= 16 })),
  ...["xoxb-", "xoxp-", "xoxa-", "xoxs-", "xoxr-"].map((prefix) => keyed(prefix, TOKEN, 10)),
  keyed("AIza", TOKEN, 30),
  keyed("glpat-", TOKEN, 16),
  bearer("Bearer "),
  bearer("bearer "),
  {
    prefix: "eyJ",
    keep: 0,
    accepts: JWT,
    sure: ({ length, dots, sinceDot }) => dots > 0 && length >= 20 && sinceDot >= 8,
    hopeless: ({ length, dots }) => dots > 2 || length > 1024,
  },
];

const SHAPES_BY_FIRST: ReadonlyMap<number, readonly Shape[]> = new Map(
  SHAPES.map(({ prefix }) => [prefix.charCodeAt(0), SHAPES.filter((shape) => shape.prefix[0] === prefix[0])]),
);

const DASH = 45;
const DOT = 46;
const BACKSLASH = 92;
/** Text made of nothing but beginnings must not make each character cost them all. */
const MOST_OPEN = 24;
const ESCAPED_SPACES: ReadonlySet<number> = new Set([..."nrt"].map((letter) => letter.charCodeAt(0)));

/** One place where a secret may begin. */
interface Candidate {
  readonly start: number;
  /** Where what is replaced begins. */
  readonly from: number;
  /** What the character at `position` makes of it. */
  read(code: number): "goes_on" | "sure" | "over";
}

export class ShapeSearch {
  readonly #open: Candidate[] = [];
  #sure: Candidate[] = [];
  #position = 0;
  #before = 0;
  #twoBefore = 0;

  /** Where the oldest place begins that may still become a secret; null for none. */
  get openStart(): number | null {
    return this.#open[0]?.start ?? null;
  }

  /** The start of the secret that this character belongs to, or null. */
  step(code: number): number | null {
    this.#begin(code);
    this.#position += 1;
    const found = this.#open.length === 0 && this.#sure.length === 0 ? null : this.#advance(code);
    this.#twoBefore = this.#before;
    this.#before = code;
    return found;
  }

  #begin(code: number): void {
    if (this.#open.length >= MOST_OPEN) return;
    if (code === DASH) this.#open.push(new PrivateKeyCandidate(this.#position));
    const shapes = SHAPES_BY_FIRST.get(code);
    if (shapes === undefined || !this.#atBoundary()) return;
    for (const shape of shapes) this.#open.push(new ShapeCandidate(shape, this.#position));
  }

  #atBoundary(): boolean {
    // In text that was written as JSON a line break is a letter after a backslash.
    return !WORD(this.#before) || (this.#twoBefore === BACKSLASH && ESCAPED_SPACES.has(this.#before));
  }

  #advance(code: number): number | null {
    if (this.#sure.length > 0) this.#sure = this.#sure.filter((candidate) => candidate.read(code) !== "over");
    let kept = 0;
    for (const candidate of this.#open) {
      const verdict = candidate.read(code);
      if (verdict === "sure") this.#sure.push(candidate);
      else if (verdict === "goes_on") this.#open[kept++] = candidate;
    }
    this.#open.length = kept;
    return this.#sure.reduce<number | null>((least, { from }) => (least === null || from < least ? from : least), null);
  }
}

class ShapeCandidate implements Candidate {
  readonly start: number;
  readonly #shape: Shape;
  #matched = 0;
  #sure = false;
  readonly #body: Body = { length: 0, digits: 0, dots: 0, sinceDot: 0 };

  constructor(shape: Shape, start: number) {
    this.#shape = shape;
    this.start = start;
  }

  get from(): number {
    return this.start + this.#shape.keep;
  }

  read(code: number): "goes_on" | "sure" | "over" {
    const shape = this.#shape;
    if (this.#matched < shape.prefix.length) {
      if (shape.prefix.charCodeAt(this.#matched) !== code) return "over";
      this.#matched += 1;
      return "goes_on";
    }
    if (!shape.accepts(code)) return "over";
    const body = this.#body;
    body.length += 1;
    if (DIGIT(code)) body.digits += 1;
    body.sinceDot += 1;
    if (code === DOT) {
      body.dots += 1;
      body.sinceDot = 0;
    }
    this.#sure ||= shape.sure(body);
    if (this.#sure) return "sure";
    return shape.hopeless(body) ? "over" : "goes_on";
  }
}

const BEGIN = "-----BEGIN ";
const KEY = "PRIVATE KEY-----";
const END = "-----END ";
const LABEL = classOf(/[A-Z0-9 -]/);
/** Base64, the header lines of old keys, and line breaks, also as JSON writes them. */
const KEY_BODY = classOf(/[A-Za-z0-9+/=\r\n\t \\:,-]/);
const MOST_LABEL = 48;

/** From `-----BEGIN … PRIVATE KEY-----` to the end of its `-----END …-----`, or to what cannot be part of it. */
class PrivateKeyCandidate implements Candidate {
  readonly start: number;
  #head = "";
  #sure = false;
  #last = "";
  #ending = false;
  #over = false;

  constructor(start: number) {
    this.start = start;
  }

  get from(): number {
    return this.start;
  }

  read(code: number): "goes_on" | "sure" | "over" {
    return this.#sure ? this.#readBody(code) : this.#readHead(code);
  }

  #readHead(code: number): "goes_on" | "sure" | "over" {
    const index = this.#head.length;
    if (index < BEGIN.length ? BEGIN.charCodeAt(index) !== code : !LABEL(code)) return "over";
    this.#head += String.fromCharCode(code);
    if (this.#head.length >= BEGIN.length + KEY.length && this.#head.endsWith(KEY)) this.#sure = true;
    if (this.#sure) return "sure";
    return this.#head.length > BEGIN.length + MOST_LABEL ? "over" : "goes_on";
  }

  #readBody(code: number): "sure" | "over" {
    if (this.#over || !KEY_BODY(code)) return "over";
    this.#last = (this.#last + String.fromCharCode(code)).slice(-END.length);
    if (this.#ending && this.#last.endsWith("-----")) this.#over = true;
    if (this.#last === END) {
      this.#ending = true;
      this.#last = "";
    }
    return "sure";
  }
}

/** A test for characters of the ASCII range; nothing above it is ever part of a secret's shape. */
function classOf(pattern: RegExp): (code: number) => boolean {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code += 1) table[code] = pattern.test(String.fromCharCode(code)) ? 1 : 0;
  return (code) => table[code] === 1;
}
