/**
 * What a search leaves out: `.git`, `node_modules`, and what the `.gitignore` files on the way down
 * say. A rule of a deeper folder wins over one above it, as in git.
 */
import ignore, { type Ignore } from "ignore";

interface Scope {
  /** Folder of the rules, below the start of the walk; "" or with a slash at its end. */
  readonly base: string;
  readonly rules: Ignore;
}

export interface IgnoreRules {
  /** These rules and those of one more `.gitignore`, found in `folder`. */
  with(folder: string, text: string): IgnoreRules;
  /** True when `path` (forward slashes, no slash at either end) is to be left out. */
  ignores(path: string, isFolder: boolean): boolean;
}

const ALWAYS = [".git", "node_modules", ".hermes-*.tmp"];

function fromScopes(scopes: readonly Scope[]): IgnoreRules {
  return {
    with: (folder, text) => fromScopes([...scopes, { base: folder === "" ? "" : `${folder}/`, rules: ignore().add(text) }]),
    ignores(path, isFolder) {
      let ignored = false;
      for (const { base, rules } of scopes) {
        if (!path.startsWith(base)) continue;
        const verdict = rules.test(path.slice(base.length) + (isFolder ? "/" : ""));
        ignored = verdict.ignored || (ignored && !verdict.unignored);
      }
      return ignored;
    },
  };
}

/** The rules of a walk that starts in `start`: whoever names an ignored folder means it. */
export function createIgnoreRules(start: string): IgnoreRules {
  return fromScopes([{ base: start === "" ? "" : `${start}/`, rules: ignore().add(ALWAYS) }]);
}

/** A test for a glob as people write it: `*.ts` at any depth, `src/**`, `{a,b}`. */
export function createGlob(glob: string): (path: string) => boolean {
  const rules = ignore().add(expandBraces(glob.replace(/^\.\//, "")));
  return (path) => rules.ignores(path);
}

const MAX_ALTERNATIVES = 200;

function expandBraces(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  while (open.length > 0 && open.length + done.length <= MAX_ALTERNATIVES) {
    const next = open.shift() ?? "";
    const found = /\{([^{}]*)\}/.exec(next);
    if (found === null) done.push(next);
    else open.push(...(found[1] ?? "").split(",").map((part) => next.slice(0, found.index) + part + next.slice(found.index + found[0].length)));
  }
  return done;
}
