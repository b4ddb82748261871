/**
 * One planted violation per rule: a file, what stands in it, and the rule that must report it. Each is
 * written into a directory of its own kind, where the linter must see it (check-planted.mjs).
 * @type {readonly {readonly rule: string, readonly path: string, readonly source: string}[]}
 */
export const PLANTED_RULES = [
  { rule: "import(no-cycle)", path: "lib/sessions/cycle-one.ts", source: `import { two } from "./cycle-two";\nexport const one = (): number => two();\n` },
  { rule: "import(no-cycle)", path: "lib/sessions/cycle-two.ts", source: `import { one } from "#sessions/cycle-one";\nexport const two = (): number => one();\n` },
  { rule: "import(no-default-export)", path: "lib/host/default-export.ts", source: "export default 1;\n" },
  { rule: "node(no-process-env)", path: "lib/agent/reads-environment.ts", source: "export const home = process.env.HOME;\n" },
  { rule: "eslint(no-restricted-imports)", path: "lib/server/imports-process.ts", source: `import { env } from "node:process";\nexport const home = env["HOME"];\n` },
  { rule: "eslint(no-restricted-properties)", path: "lib/agent/reads-working-directory.ts", source: "export const here = (): string => process.cwd();\n" },
  { rule: "eslint(no-restricted-properties)", path: "lib/runner/exits.ts", source: "export const end = (): void => process.exit(1);\n" },
  { rule: "eslint(no-restricted-imports)", path: "lib/fold/uses-package.ts", source: `import { ulid } from "ulid";\nexport const id = ulid();\n` },
  { rule: "eslint(no-restricted-imports)", path: "lib/client/uses-node.ts", source: `import { join } from "node:path";\nexport const path = join("a", "b");\n` },
  { rule: "eslint(no-restricted-imports)", path: "bin/start.mjs", source: `import { z } from "zod";\nexport const port = z.number();\n` },
  { rule: "eslint(max-lines)", path: "lib/host/long-file.ts", source: "// A line.\n".repeat(251) },
  { rule: "eslint(max-lines-per-function)", path: "lib/host/long-function.ts", source: `export function long(): void {\n${"  // A line.\n".repeat(60)}}\n` },
  { rule: "eslint(no-empty)", path: "lib/host/empty-catch.ts", source: "export function quiet(act: () => void): void {\n  try {\n    act();\n  } catch {}\n}\n" },
  { rule: "eslint(no-console)", path: "lib/host/prints.ts", source: `console.log("hello");\n` },
  { rule: "eslint(no-warning-comments)", path: "lib/host/postponed.ts", source: "// TODO: later\nexport const value = 1;\n" },
  { rule: "typescript(no-explicit-any)", path: "lib/host/any.ts", source: "export const value: any = 1;\n" },
  { rule: "typescript(no-non-null-assertion)", path: "lib/host/non-null.ts", source: "export const length = (text: string | null): number => text!.length;\n" },
  { rule: "unicorn(filename-case)", path: "lib/host/runHost.ts", source: "export const value = 1;\n" },
  { rule: "house(no-vague-file-name)", path: "lib/host/utils.ts", source: "export const value = 1;\n" },
  { rule: "house(no-abbreviation)", path: "lib/host/short.ts", source: "export const length = (req: string): number => req.length;\n" },
  { rule: "house(no-loose-assertion)", path: "lib/host/assertion.ts", source: "export const value = (text: unknown): string => text as string;\n" },
  { rule: "house(no-re-export)", path: "lib/host/barrel.ts", source: `export * from "./prints";\n` },
  { rule: "house(no-re-export)", path: "lib/host/named-barrel.ts", source: `export { value } from "./any";\n` },
  ...states(),
  ...borders(),
];

/** Module-level mutable state, in each of its forms and in each of the rooms that live requests pass. */
function states() {
  const forms = {
    "let.ts": "export let count = 0;\n",
    "map.ts": "const runs = new Map<string, number>();\nexport const read = (): number => runs.size;\n",
    "weak-map.ts": "const runs = new WeakMap<object, number>();\nexport const read = (key: object): number | undefined => runs.get(key);\n",
    "set.ts": `const seen = new Set(["a"]);\nexport const note = (name: string): void => void seen.add(name);\n`,
    "list.ts": "const seen: string[] = [];\nexport const note = (name: string): void => void seen.push(name);\n",
    "record.ts": "const runs: Record<string, number> = {};\nexport function note(name: string): void {\n  runs[name] = 1;\n}\n",
    "assigned.ts": "const runs: Record<string, number> = {};\nexport const note = (more: object): object => Object.assign(runs, more);\n",
    "slot.ts": "export function note(): void {\n  globalThis.name = \"x\";\n}\n",
    "class.ts": "export class Runs {\n  static readonly all = new Map<string, number>();\n}\n",
  };
  return ["app", "lib/server", "lib/runtime", "lib/commands"].flatMap((room) =>
    Object.entries(forms).map(([name, source]) => ({ rule: "house(no-module-state)", path: `${room}/state-${name}`, source })),
  );
}

/** Ways around the walls that an import list does not show. */
function borders() {
  const sources = {
    "climbing.ts": `import { append } from "../journal/append";\nexport const value = append;\n`,
    "dynamic.ts": `export const load = (): Promise<unknown> => import("#journal/append");\n`,
    "climbing-dynamic.ts": `export const load = (): Promise<unknown> => import("../../lib/db/schema");\n`,
    "type.ts": `export type Append = import("#journal/append").Append;\n`,
    "type-only.ts": `import type { Append } from "../journal/append";\nexport type Again = Append;\n`,
  };
  return Object.entries(sources).map(([name, source]) => ({ rule: "house(room-borders)", path: `lib/agent/${name}`, source }));
}
