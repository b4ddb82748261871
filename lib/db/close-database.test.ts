/** What lies on disk when a database was closed: by the only user, by one of several, by the last. */
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "./database";
import { makePlace, runOther, type Place } from "./database.fixture";
import { openDatabase } from "./open-database";

const INSERT = "INSERT INTO sessions (session_id, title, title_source, profile, workspace, created_at, updated_at) VALUES ('ses_1', 't', 'none', 'p', '/', 1, 1)";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const open = (): Promise<Database> => openDatabase({ url: place.url });
const beside = (): readonly string[] => readdirSync(place.folder).filter((name) => name.startsWith("hermes.db"));

describe("a database that was closed", () => {
  it("by its last user is one file again, whole, also where the process ends at once", async () => {
    const database = await open();
    await database.execute(INSERT);
    const other = runOther(place, `import { openDatabase } from "#db/open-database";
      const database = await openDatabase({ url: ${JSON.stringify(place.url)} });
      await database.execute("UPDATE sessions SET title = 'seen'");
      console.log("open");
      process.stdin.once("data", () => { database.close(); process.exit(0); });`);
    await other.said("open");
    const closed = database.closeLast(10_000);
    expect(beside()).toEqual(["hermes.db", "hermes.db-shm", "hermes.db-wal"]);
    other.process.stdin?.write("close");
    expect(await other.ended).toBe(0);
    await closed;
    expect(beside()).toEqual(["hermes.db"]);
    const again = await open();
    expect((await again.execute("PRAGMA journal_mode")).rows[0]?.[0]).toBe("wal");
    expect((await again.execute("SELECT count(*) FROM sessions WHERE title = 'seen'")).rows[0]?.[0]).toBe(1);
    again.close();
    again.close();
    expect(beside()).toEqual(["hermes.db"]);
  });

  it("waits for another user to go no longer than it was told, and leaves the log where one stays", async () => {
    const [one, two] = [await open(), await open()];
    await one.execute(INSERT);
    await two.execute("SELECT 1 FROM sessions");
    await one.closeLast(60);
    await expect(one.execute("SELECT 1")).rejects.toThrow(/closed/);
    expect((await two.execute("SELECT count(*) FROM sessions")).rows[0]?.[0]).toBe(1);
    expect(beside()).toContain("hermes.db-wal");
  });
});
