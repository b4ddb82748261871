/**
 * A second tree of this product for a build with a path prefix: that is part of what a build is, and the
 * tree under test has one without. It lies in the cache folder and is built anew only when its sources
 * changed, by the product's own start. Packages are linked, not copied.
 */
import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, readlinkSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["app", "components", "lib", "public", "bin", "drizzle", "docs"];
const FILE = /\.(ts|mjs|json)$/;
const NOT_A_SOURCE = /tsbuildinfo$/;
const LOCK = "node_modules/.package-lock.json";

/** Answers where it lies. */
export function makeBasePathTree(root: string): string {
  const tree = join(root, ".cache", "e2e-base-path");
  mkdirSync(tree, { recursive: true });
  for (const folder of FOLDERS) {
    rmSync(join(tree, folder), { recursive: true, force: true });
    if (existsSync(join(root, folder))) cpSync(join(root, folder), join(tree, folder), { recursive: true });
  }
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.isFile() && FILE.test(entry.name) && !NOT_A_SOURCE.test(entry.name)) copyFileSync(join(root, entry.name), join(tree, entry.name));
  }
  if (!isSame(join(root, LOCK), join(tree, LOCK))) {
    rmSync(join(tree, "node_modules"), { recursive: true, force: true });
    linkFolder(join(root, "node_modules"), join(tree, "node_modules"));
    // Whoever installs into one tree must not change what the other says of itself.
    rmSync(join(tree, LOCK), { force: true });
    copyFileSync(join(root, LOCK), join(tree, LOCK));
  }
  return tree;
}

function isSame(first: string, second: string): boolean {
  return existsSync(first) && existsSync(second) && readFileSync(first).equals(readFileSync(second));
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== ".cache") linkFolder(source, target);
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}
