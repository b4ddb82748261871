/**
 * The readable text of an HTML page, by one pass over its characters: what is never read is skipped,
 * blocks become lines, entities become characters. No regular expression looks at more than one tag.
 */
const SKIPPED: ReadonlySet<string> = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "head", "textarea", "select"]);
const BLOCKS: ReadonlySet<string> = new Set([
  "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
  "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tr", "ul",
]);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", copy: "©", reg: "®", hellip: "…", mdash: "—", ndash: "–", laquo: "«", raquo: "»",
  lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bull: "•", middot: "·", times: "×", euro: "€", trade: "™", auml: "ä", ouml: "ö", uuml: "ü", szlig: "ß",
  Auml: "Ä", Ouml: "Ö", Uuml: "Ü", eacute: "é", egrave: "è", agrave: "à", ccedil: "ç",
};
const LONGEST_TAG = 20_000;

export interface PageText {
  readonly title: string;
  readonly text: string;
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  /** Index after the tag. */
  readonly end: number;
}

/** The tag that begins at `start` (a `<`), or null when it is only a character. */
function tagAt(html: string, start: number): Tag | null {
  if (html.startsWith("<!--", start)) {
    const end = html.indexOf("-->", start + 4);
    return { name: "", closes: false, end: end === -1 ? html.length : end + 3 };
  }
  const found = /^<(\/?)([a-z][a-z0-9-]{0,40}|[!?])/i.exec(html.slice(start, start + 48));
  if (found === null) return null;
  const end = html.slice(start, start + LONGEST_TAG).search(/>/);
  return { name: (found[2] ?? "").toLowerCase(), closes: found[1] === "/", end: end === -1 ? html.length : start + end + 1 };
}

/** Index after the end tag of a skipped element. */
function skipElement(lower: string, name: string, from: number): number {
  const end = lower.indexOf(`</${name}`, from);
  if (end === -1) return lower.length;
  const close = lower.indexOf(">", end);
  return close === -1 ? lower.length : close + 1;
}

function titleOf(html: string): string {
  const lower = html.slice(0, 200_000).toLowerCase();
  const start = lower.indexOf("<title");
  const open = start === -1 ? -1 : lower.indexOf(">", start);
  const end = open === -1 ? -1 : lower.indexOf("</title", open);
  return end === -1 ? "" : decodeEntities(html.slice(open + 1, end)).replace(/\s+/g, " ").trim();
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/[ \t\r\f\u00a0]+/g, " ").trim());
  return lines.filter((line, index) => line !== "" || (lines[index - 1] ?? "") !== "").join("\n").trim();
}

export function htmlToText(html: string): PageText {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    const words = html.slice(at, open === -1 ? html.length : open);
    parts.push(decodeEntities(words).replace(/\s+/g, " "));
    if (open === -1) break;
    const tag = tagAt(html, open);
    if (tag === null) {
      parts.push("<");
      at = open + 1;
      continue;
    }
    at = !tag.closes && SKIPPED.has(tag.name) ? skipElement(lower, tag.name, tag.end) : tag.end;
    if (tag.name === "li" && !tag.closes) parts.push("\n- ");
    else if (BLOCKS.has(tag.name)) parts.push("\n");
    else if (tag.name === "td" || tag.name === "th") parts.push(" ");
  }
  return { title: titleOf(html), text: tidy(parts.join("")) };
}
