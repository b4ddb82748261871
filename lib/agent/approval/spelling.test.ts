/**
 * One command, spelled in any way: quotes, escapes, substitutions, fillers, wrapped in shells and
 * branches. Bash itself is the oracle: each spelling is run with a `rm` that only tells that it was
 * called, and whatever bash calls, the judge must have found.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPatterns } from "./find-patterns";
import { createShellParser, type ParseShell } from "./shell-parse";

const single = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;
const double = (text: string): string => `"${text.replace(/([$`"\\])/g, "\\$1")}"`;
const hex = (text: string): string => `$'${[...text].map((letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")}'`;
const octal = (text: string): string => `$'${[...text].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")}'`;

/** Ways to write a piece of a word; none changes what the shell makes of it. */
const SPELLINGS: readonly ((piece: string) => string)[] = [
  (piece) => piece, single, double, hex, octal,
  (piece) => [...piece].map((letter) => `\\${letter}`).join(""),
  (piece) => `${piece}''`, (piece) => `${piece}"$nothing"`, (piece) => `${piece}$@`,
  (piece) => `$(echo ${single(piece)})`, (piece) => `\`printf %s ${single(piece)}\``, (piece) => `\${nothing:-${piece}}`,
];
const SPACES = [" ", "\t", " \\\n", "${IFS}"];

/** Ways to have a shell run a text. */
const LAYERS: readonly ((command: string) => string)[] = [
  (command) => `bash -c ${single(command)}`, (command) => `bash -c ${double(command)}`, (command) => `eval ${single(command)}`, (command) => `bash <<'E'\n${command}\nE`, (command) => `bash <<< ${single(command)}`,
  (command) => `printf '%s\\n' ${single(command)} | bash`, (command) => `. <(printf %s ${single(command)})`, (command) => `x=$(${command}\n)`, (command) => `echo "$(${command}\n)"`, (command) => `(${command}\n)`, (command) => `! { ${command}\n}`,
  (command) => `if true; then ${command}\nfi`, (command) => `f() { ${command}\n}; f`, (command) => `false || { ${command}\n}`, (command) => `true\n${command}`, (command) => `for i in 1; do ${command}\ndone`, (command) => `case a in a) ${command}\n;; esac`,
  (command) => `x=${single(command)}; eval "$x"`, (command) => `a=(${single(command)}); eval "\${a[0]}"`, (command) => `trap ${single(command)} EXIT`, (command) => `[[ -n $(${command}\n) ]]`, (command) => `{ ${command}\n} &\nwait`, (command) => `# note\n${command}`,
];

const spelledWord = (word: string): fc.Arbitrary<string> => fc.tuple(...[...word].map((letter) => fc.constantFrom(...SPELLINGS).map((spell) => spell(letter)))).map((pieces) => pieces.join(""));
const spelledCommand = fc
  .tuple(spelledWord("rm"), fc.constantFrom(...SPACES), spelledWord("-r"), fc.constantFrom(...SPACES), fc.constant("victim"), fc.array(fc.constantFrom(...LAYERS), { maxLength: 3 }))
  .map(([name, gap, flag, space, target, layers]) => layers.reduce((command, layer) => layer(command), name + gap + flag + space + target));

describe("no spelling lowers the decision", () => {
  let folder: string;
  let parse: ParseShell;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "spelling-"));
    writeFileSync(join(folder, "rm"), '#!/bin/sh\necho "CALLED $*" >&2\n');
    chmodSync(join(folder, "rm"), 0o755);
    writeFileSync(join(folder, "bash"), '#!/bin/sh\nexec /bin/bash "$@"\n');
    chmodSync(join(folder, "bash"), 0o755);
    parse = await createShellParser()();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("finds whatever bash runs", () => {
    let called = 0;
    fc.assert(
      fc.property(spelledCommand, (command) => {
        const result = spawnSync("/bin/bash", ["-c", command], { cwd: folder, env: { PATH: folder, HOME: folder, NODE_ENV: "test" }, encoding: "utf8", timeout: 5_000, input: "" });
        if (!/CALLED -r/.test(result.stderr + result.stdout)) return;
        called += 1;
        const place = { workingFolder: folder, home: "/home/ada", profileHome: "/home/ada/.hermes", workspace: folder, realPath: (path: string) => path };
        expect(findPatterns(parse, command, place)).not.toEqual([]);
      }),
      { numRuns: 80 },
    );
    expect(called).toBeGreaterThan(40);
  });
});
