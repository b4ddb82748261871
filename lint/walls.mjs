/**
 * Turns the table of rooms into one `no-restricted-imports` override per room. The linter's regular
 * expressions know no look-ahead, so "anything but these" is spelled out as the complement of a set
 * of prefixes.
 */
import { BROWSER_ROOMS, filesOfRoom, PACKAGES_OF_ROOM, ROOMS } from "./rooms.mjs";

const SETTINGS_ONLY = { regex: "^(node:)?process$", message: "Settings are read in lib/config; the rest is handed what it needs." };
const NO_TEST_EQUIPMENT = { regex: "^#testing/", message: "Test equipment is for tests." };

/** The patterns that hold where no room's own do. */
export const BASE_IMPORT_PATTERNS = [SETTINGS_ONLY];

export function wallOverrides() {
  return Object.keys(ROOMS)
    .filter((room) => room !== "testing")
    .map((room) => ({
      files: filesOfRoom(room),
      excludeFiles: ["**/*.test.ts", "**/*.test.tsx"],
      rules: { "no-restricted-imports": ["error", { patterns: patternsOf(room) }] },
    }));
}

function patternsOf(room) {
  const rooms = [room, ...ROOMS[room]];
  const open = rooms.map((name) => (name.includes("/") ? name : `${name}/`));
  const patterns = [SETTINGS_ONLY, NO_TEST_EQUIPMENT, {
    regex: `^#${anythingBut(open)}`,
    message: `${room} may import only ${rooms.map((name) => `#${name}`).join(", ")}.`,
  }];
  if (BROWSER_ROOMS.includes(room)) patterns.push({ regex: "^node:", message: `${room} also runs in a browser.` });
  const packages = PACKAGES_OF_ROOM[room];
  if (packages !== undefined) {
    patterns.push({ regex: `^${anythingBut(["#", ".", "node:", ...packages])}`, message: `${room} may use ${packages.join(" and ") || "no package"}.` });
  }
  return patterns;
}

/** A regular expression for the texts that begin with none of the prefixes (after an anchor). */
function anythingBut(prefixes) {
  const branches = new Map();
  for (const prefix of prefixes) {
    const first = prefix.charAt(0);
    branches.set(first, [...(branches.get(first) ?? []), prefix.slice(1)]);
  }
  const others = [...branches.keys()].map((character) => (/[\w#]/.test(character) ? character : `\\${character}`)).join("");
  const alternatives = ["$", `[^${others}]`];
  for (const [character, rests] of branches) {
    if (!rests.includes("")) alternatives.push(`${/[\w#]/.test(character) ? character : `\\${character}`}${anythingBut(rests)}`);
  }
  return `(${alternatives.join("|")})`;
}
