/** `SOUL.md`: who the agent is in this profile. Null when there is none, or nothing usable in it. */
import { join } from "node:path";
import { readText } from "./edit-file";

const MAX_BYTES = 64 * 1024;

export async function readSoul(home: string): Promise<string | null> {
  const read = await readText(join(home, "SOUL.md"), MAX_BYTES);
  const text = read.status === "read" ? read.text.replace(/^\uFEFF/, "").trim() : "";
  return text === "" ? null : text;
}
