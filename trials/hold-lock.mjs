/** Another program that holds the database's write lock: `node hold-lock.mjs <file> <milliseconds>`. Says `held`. */
import { setTimeout as pause } from "node:timers/promises";
import Database from "libsql";

const [file, milliseconds] = process.argv.slice(2);
const database = new Database(file, { timeout: 5000 });
database.exec("BEGIN IMMEDIATE");
process.stdout.write("held\n");
await pause(Number(milliseconds));
database.exec("ROLLBACK");
database.close();
