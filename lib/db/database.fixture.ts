/** Databases in folders of their own, earlier versions of the migrations, and other processes that use the same file. */
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { findMigrationsFolder } from "./migrations-folder";

const journalSchema = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string(), when: z.number() })) });
type FolderJournal = z.infer<typeof journalSchema>;

export interface Place {
  readonly folder: string;
  readonly file: string;
  readonly url: string;
  remove(): void;
}

export function makePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "database-"));
  const file = join(folder, "hermes.db");
  return { folder, file, url: `file:${file}`, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function readFolderJournal(folder = findMigrationsFolder()): FolderJournal {
  return journalSchema.parse(JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8")));
}

/** A copy of the migrations as they were when there were only `count`, with further ones appended. */
export function migrationsUpTo(place: Place, count: number, further: readonly string[] = []): string {
  const folder = mkdtempSync(join(place.folder, "drizzle-"));
  cpSync(findMigrationsFolder(), folder, { recursive: true });
  const journal = readFolderJournal();
  const last = journal.entries.at(-1)?.when ?? 0;
  const added = further.map((text, index) => {
    const tag = `9${String(index).padStart(3, "0")}_further`;
    writeFileSync(join(folder, `${tag}.sql`), text);
    return { idx: 9000 + index, version: "6", when: last + index + 1, tag, breakpoints: true };
  });
  writeFileSync(join(folder, "meta", "_journal.json"), JSON.stringify({ ...journal, entries: [...journal.entries.slice(0, count), ...added] }));
  return folder;
}

export interface Other {
  readonly process: ChildProcess;
  /** Everything it wrote so far. */
  output(): string;
  /** Resolves when it wrote that text. */
  said(text: string): Promise<void>;
  readonly ended: Promise<number | null>;
}

/** A process that runs this TypeScript; imports by `#room/name` work as anywhere. */
export function runOther(place: Place, source: string, identity: { readonly uid?: number } = {}): Other {
  const home = mkdtempSync(join(place.folder, "script-"));
  // Another person may have to read it.
  chmodSync(home, 0o755);
  const script = join(home, "other.mts");
  const root = pathToFileURL(`${process.cwd()}/`).href;
  writeFileSync(script, source.replaceAll(/from "#(\w+)\/([\w.-]+)"/g, (_all, room: string, name: string) => `from "${root}lib/${room}/${name}.ts"`));
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), script], { cwd: process.cwd(), stdio: ["pipe", "pipe", "pipe"], ...identity });
  let output = "";
  const listeners = new Set<() => void>();
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const said = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (output.includes(text)) resolve();
      };
      listeners.add(look);
      look();
      void ended.then(() => reject(new Error(`It ended without saying ${JSON.stringify(text)}: ${output}`)));
    });
  return { process: child, output: () => output, said, ended };
}
