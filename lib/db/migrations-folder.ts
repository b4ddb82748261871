import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MARK = join("meta", "_journal.json");

/**
 * Where the migrations are: `drizzle/` beside this code or above it (source, a bundle in `dist/`),
 * else in the working directory (a bundler may have replaced this module's address).
 */
export function findMigrationsFolder(moduleUrl: string = import.meta.url): string {
  const places: string[] = [];
  if (moduleUrl.startsWith("file:")) {
    for (let folder = dirname(fileURLToPath(moduleUrl)); folder !== dirname(folder); folder = dirname(folder)) places.push(folder);
  }
  places.push(process.cwd());
  for (const place of places) {
    const folder = join(place, "drizzle");
    if (existsSync(join(folder, MARK))) return folder;
  }
  throw new Error(`The folder drizzle/ with the database's migrations is missing (looked from ${process.cwd()}).`);
}
