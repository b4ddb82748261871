/**
 * A process that owns runs, for tests that kill it: opens the host on the database in its first
 * argument, starts what arrives on stdin as JSON lines, and says `ready` and each answer on stdout.
 */
import { createInterface } from "node:readline";
import { openTestHost } from "./test-host";
import { startRunRequestSchema } from "#protocol/control";

const folder = process.argv[2];
if (folder === undefined) throw new Error("The folder of the database is missing.");
const opened = await openTestHost({ folder });
process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await opened.host.start(startRunRequestSchema.parse(JSON.parse(line)));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
