/**
 * A browser for the tests, without any download: one that is named or installed, else the one that
 * Playwright has already fetched, else the one that an npm package brings along (unpacked into the
 * temporary directory). A program counts only if it says its version.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { inRoot } from "../set-up/root.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const MAC_PLACES = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];

/** @returns {Promise<string | null>} the program, or null when there is none */
export async function findBrowser() {
  const named = process.env["HERMES_TEST_BROWSER"] ?? process.env["CHROME_PATH"];
  const candidates = [...(named ? [named] : []), ...placesInPath(), ...MAC_PLACES, await playwrightBrowser()];
  for (const candidate of candidates) if (candidate !== null && works(candidate)) return candidate;
  return packagedBrowser();
}

function placesInPath() {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
}

async function playwrightBrowser() {
  const { chromium } = await import("@playwright/test");
  return chromium.executablePath() || null;
}

function works(program) {
  if (!existsSync(program)) return false;
  const { status, stdout } = spawnSync(program, ["--version", "--no-sandbox"], { encoding: "utf8", timeout: 15_000 });
  return status === 0 && /Chrom/.test(stdout);
}

/**
 * The package unpacks to a fixed place and takes whatever lies there for complete, even half a file of
 * an interrupted run: so it unpacks into a directory of its own, which is moved into place when done.
 */
async function packagedBrowser() {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const place = join(tmpdir(), `hermes-webui-browser-${process.getuid?.() ?? "user"}`);
  if (!existsSync(place)) {
    const unpacked = mkdtempSync(join(tmpdir(), "hermes-webui-browser-new-"));
    await unpackInto(unpacked);
    moveInto(place, unpacked);
  }
  return [join(place, "chromium"), join(place, "chromium-with-libraries")].find(works) ?? null;
}

async function unpackInto(directory) {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = directory;
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  // A bare container lacks libraries that the package brings along for one cloud only.
  const archive = join(directory, "libraries.tar");
  writeFileSync(archive, brotliDecompressSync(readFileSync(inRoot("node_modules/@sparticuz/chromium/bin/al2023.tar.br"))));
  const { status } = spawnSync("tar", ["xf", archive, "-C", directory], { timeout: 60_000 });
  rmSync(archive);
  if (status !== 0) return;
  const script = '#!/bin/sh\nhere=$(dirname "$0")\nLD_LIBRARY_PATH="$here/lib" exec "$here/chromium" "$@"\n';
  writeFileSync(join(directory, "chromium-with-libraries"), script, { mode: 0o755 });
}

/** Another test run may have been faster; then its copy is as good. */
function moveInto(place, directory) {
  try {
    renameSync(directory, place);
  } catch (error) {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    rmSync(directory, { recursive: true });
  }
}
