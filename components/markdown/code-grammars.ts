/**
 * What the highlighter knows of a language: comments, strings and words. That is enough for the four
 * colours that code has here, works from the first character of an open fence, and needs no download.
 */
export interface Grammar {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  /** Quotes that end with their line, unless listed in `longStrings`. */
  readonly strings: readonly string[];
  readonly longStrings: readonly string[];
  readonly keywords: ReadonlySet<string>;
  readonly ignoreCase: boolean;
  /** How names are told: a word before `(`, a key before `:` or `=`, a tag and its attributes, or not at all. */
  readonly names: "calls" | "keys" | "tags" | "commands" | "none";
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

const C_COMMENTS = { lineComments: ["//"], blockComments: [["/*", "*/"]] } as const;
const HASH = { lineComments: ["#"], blockComments: [] } as const;
const QUOTES = { strings: ['"', "'"], longStrings: [] } as const;
const BASE = { ignoreCase: false, names: "calls" } as const;

const script: Grammar = {
  ...BASE,
  ...C_COMMENTS,
  strings: ['"', "'"],
  longStrings: ["`"],
  keywords: words(
    "abstract any as async await boolean break case catch class const continue declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null number object of override private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while with yield",
  ),
};
const python: Grammar = {
  ...BASE,
  ...HASH,
  strings: ['"', "'"],
  longStrings: ['"""', "'''"],
  keywords: words(
    "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
  ),
};
const shell: Grammar = {
  ...HASH,
  strings: [],
  longStrings: ['"', "'"],
  keywords: words("case do done elif else esac exit export fi for function if in local read return select set shift then trap unset until while"),
  ignoreCase: false,
  names: "commands",
};
const family: Grammar = {
  ...BASE,
  ...C_COMMENTS,
  ...QUOTES,
  keywords: words(
    "abstract as async auto await bool boolean break byte case catch chan char class const constexpr continue crate data def default defer delete do double dyn else enum explicit export extends extern false fallthrough final finally float fn for foreach friend fun func go goto guard if impl implements import in inline instanceof int interface internal is let long loop map match mod move mut namespace new nil null object of operator override package private protected pub public range readonly ref return self sealed short signed sizeof static str string struct super switch template this throw throws trait true try type typedef typename uint union unsafe unsigned use using val var virtual void volatile when where while yield",
  ),
};
const ruby: Grammar = {
  ...BASE,
  ...HASH,
  ...QUOTES,
  keywords: words(
    "BEGIN END alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield",
  ),
};
const sql: Grammar = {
  ...BASE,
  lineComments: ["--"],
  blockComments: [["/*", "*/"]],
  strings: [],
  longStrings: ["'", '"'],
  ignoreCase: true,
  keywords: words(
    "add all alter and as asc begin between by cascade case check commit constraint create cross database default delete desc distinct drop else end exists foreign from full group having in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then trigger union unique update using values view when where with",
  ),
};
const json: Grammar = { ...BASE, ...C_COMMENTS, strings: ['"'], longStrings: [], keywords: words("true false null"), names: "keys" };
const settings: Grammar = {
  lineComments: ["#", ";"],
  blockComments: [],
  ...QUOTES,
  keywords: words("true false null yes no on off True False"),
  ignoreCase: false,
  names: "keys",
};
const markup: Grammar = {
  lineComments: [],
  blockComments: [["<!--", "-->"]],
  strings: [],
  longStrings: ['"', "'"],
  keywords: words(""),
  ignoreCase: false,
  names: "tags",
};
const styles: Grammar = {
  ...C_COMMENTS,
  ...QUOTES,
  keywords: words("@media @import @layer @supports @keyframes @font-face @theme @apply @container @use !important"),
  ignoreCase: false,
  names: "keys",
};
const docker: Grammar = {
  ...HASH,
  ...QUOTES,
  keywords: words("add arg cmd copy entrypoint env expose from healthcheck label onbuild run shell stopsignal user volume workdir as"),
  ignoreCase: true,
  names: "none",
};
const lua: Grammar = {
  ...BASE,
  lineComments: ["--"],
  blockComments: [["--[[", "]]"]],
  ...QUOTES,
  keywords: words("and break do else elseif end false for function goto if in local nil not or repeat return then true until while"),
};

const BY_NAME: Readonly<Record<string, Grammar>> = {
  js: script, jsx: script, mjs: script, cjs: script, javascript: script, ts: script, tsx: script, mts: script, cts: script, typescript: script,
  py: python, python: python, python3: python, pyi: python,
  sh: shell, bash: shell, zsh: shell, fish: shell, shell: shell, console: shell, terminal: shell, make: shell, makefile: shell,
  c: family, h: family, cpp: family, cc: family, hpp: family, "c++": family, cs: family, csharp: family, java: family, kt: family, kotlin: family,
  go: family, golang: family, rs: family, rust: family, swift: family, scala: family, dart: family, php: family, zig: family, proto: family,
  rb: ruby, ruby: ruby, ex: ruby, exs: ruby, elixir: ruby,
  sql: sql, sqlite: sql, postgres: sql, mysql: sql,
  json: json, jsonc: json, json5: json, jsonl: json,
  yaml: settings, yml: settings, toml: settings, ini: settings, env: settings, properties: settings, conf: settings,
  html: markup, xml: markup, svg: markup, vue: markup, svelte: markup,
  css: styles, scss: styles, less: styles,
  dockerfile: docker, docker: docker,
  lua: lua,
};

/** The grammar of a fence's language or a file's ending; null when it is not one we know. */
export function grammarOf(language: string): Grammar | null {
  const name = language.toLowerCase();
  return Object.hasOwn(BY_NAME, name) ? (BY_NAME[name] ?? null) : null;
}

/** The language of a path by its ending, "" when it has none. */
export function languageOfPath(path: string): string {
  const name = path.split("/").at(-1)?.toLowerCase() ?? "";
  if (name === "dockerfile" || name === "makefile") return name;
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1);
}
