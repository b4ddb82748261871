/**
 * Where a file of an installed package lies on disk. A bundler rewrites `import.meta.resolve` and
 * `require.resolve`, so this walks up `node_modules` by hand: from this module (plain Node, tsx,
 * vitest) and from the started script (the Next server, a bundled runner). The folder that the
 * process happens to stand in plays no part.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute path, or null when no `node_modules` above any of the starting points has the file. */
export function findPackageFile(packageName: string, file: string, startingPoints = defaultStartingPoints()): string | null {
  for (const start of startingPoints) {
    for (const folder of ancestors(start)) {
      const candidate = join(/* turbopackIgnore: true */ folder, "node_modules", packageName, file);
      if (existsSync(candidate)) return candidate;
    }
  }
  return null;
}

function defaultStartingPoints(): readonly string[] {
  const script = process.argv[1];
  const own = import.meta.url.startsWith("file:") ? [dirname(fileURLToPath(import.meta.url))] : [];
  if (script === undefined) return own;
  return [...own, dirname(existsSync(script) ? realpathSync(script) : script)];
}

function ancestors(start: string): readonly string[] {
  const folders = [start];
  let current = start;
  while (dirname(current) !== current) {
    current = dirname(current);
    folders.push(current);
  }
  return folders;
}
