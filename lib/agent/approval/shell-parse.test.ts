import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPackageFile } from "./find-package-file";
import { createShellParser } from "./shell-parse";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ENTRY = `
  import { createShellParser } from ${JSON.stringify(join(ROOT, "lib/agent/approval/shell-parse.ts"))};
  const parse = await createShellParser()();
  console.log(parse("rm -rf x").status, parse("rm 'x").status);
`;

describe("the shell grammar", () => {
  it("gives a plain tree with offsets in the text that was parsed", async () => {
    const parse = await createShellParser()();
    const tree = parse('echo "é🙂" b');
    expect(tree.status).toBe("whole");
    const [command] = tree.root.children;
    expect(command?.children.map((child) => [child.type, child.text])).toEqual([["command_name", "echo"], ["string", '"é🙂"'], ["word", "b"]]);
    expect(command?.children.at(-1)?.start).toBe(11);
  });

  it("is loaded once, also for callers at the same moment", async () => {
    const load = createShellParser();
    const [first, second] = await Promise.all([load(), load()]);
    expect(second).toBe(first);
    expect(await load()).toBe(first);
  });

  it("calls broken what it cannot read, too deep, or slow to recover from", async () => {
    const parse = await createShellParser()();
    for (const text of ["echo 'a", "if true; then", "ls )", "$(".repeat(400) + ")".repeat(400), "ls )".repeat(20_000)]) expect(parse(text).status).toBe("broken");
    expect(parse("ls").status).toBe("whole");
  });

  it("is found from any starting point below the installation, and nowhere else", () => {
    expect(findPackageFile("tree-sitter-bash", "tree-sitter-bash.wasm", [join(ROOT, "lib/agent")])).toBe(join(ROOT, "node_modules/tree-sitter-bash/tree-sitter-bash.wasm"));
    expect(findPackageFile("tree-sitter-bash", "tree-sitter-bash.wasm", ["/", "/nowhere/at/all"])).toBeNull();
    expect(findPackageFile("tree-sitter-bash", "no-such-file.wasm")).toBeNull();
  });
});

describe("the grammar outside of the test runner, wherever the process stands", () => {
  let folder: string;
  beforeAll(() => {
    mkdirSync(join(ROOT, "node_modules/.cache"), { recursive: true });
    folder = mkdtempSync(join(ROOT, "node_modules/.cache/shell-parse-"));
    writeFileSync(join(folder, "entry.ts"), ENTRY);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function run(...parameters: readonly string[]): string {
    const result = spawnSync(process.execPath, parameters, { cwd: "/", encoding: "utf8", timeout: 15_000 });
    return result.stdout.trim() || result.stderr;
  }

  it("works under tsx", () => {
    expect(run("--import", pathToFileURL(join(ROOT, "node_modules/tsx/dist/esm/index.mjs")).href, join(folder, "entry.ts"))).toBe("whole broken");
  });

  it.each(["external", "bundle"] as const)("works in an esbuild bundle with packages: %s", async (packages) => {
    const outfile = join(folder, `${packages}.mjs`);
    await build({ entryPoints: [join(folder, "entry.ts")], outfile, bundle: true, platform: "node", format: "esm", packages, logLevel: "silent" });
    expect(run(outfile)).toBe("whole broken");
  });
});
