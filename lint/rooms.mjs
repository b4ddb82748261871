/**
 * The rooms of the house and the walls between them: for each room the rooms it may import. Whatever
 * is not named here is a wall. The linter's overrides and the planted violations that prove them are
 * both made from this table; changing it is a decision.
 */

/** @type {Readonly<Record<string, readonly string[]>>} */
export const ROOMS = {
  protocol: [],
  fold: ["protocol"],
  config: ["protocol"],
  db: ["protocol", "config"],
  journal: ["db", "protocol", "fold", "config"],
  // What both servers, the page's and the runner's, do with a request and an answer.
  http: ["protocol"],
  workspace: ["protocol"],
  profiles: ["protocol"],
  agent: ["workspace", "profiles", "fold", "protocol"],
  engines: ["agent", "profiles", "workspace", "fold", "config", "protocol"],
  host: ["engines", "agent", "journal", "sessions", "fold", "db", "config", "profiles", "workspace", "protocol"],
  sessions: ["journal", "fold", "db", "profiles", "workspace", "protocol"],
  runner: ["host", "journal", "db", "sessions", "config", "engines", "http", "protocol", "fold"],
  runtime: ["host", "journal", "sessions", "db", "config", "fold", "engines", "profiles", "protocol"],
  commands: ["runtime", "sessions", "fold", "protocol"],
  server: ["runtime", "sessions", "workspace", "profiles", "commands", "journal", "db", "config", "fold", "http", "protocol", "agent/model/registry"],
  client: ["fold", "protocol"],
  components: ["client", "fold", "protocol"],
  app: ["components", "server", "protocol"],
  // Test equipment: it may use everything, and only tests may use it.
  testing: [],
};

/** Rooms that also run in a browser: no module of Node in them. */
export const BROWSER_ROOMS = ["protocol", "fold", "client", "components"];

/** Rooms that may import these packages and no others. */
export const PACKAGES_OF_ROOM = { protocol: ["zod", "ulid"], fold: [] };

/** Where the files of a room lie, as a glob. */
export function filesOfRoom(room) {
  if (room === "app") return ["**/app/**/*.{ts,tsx}", "**/instrumentation*.ts", "**/proxy.ts"];
  return room === "components" ? ["**/components/**/*.{ts,tsx}"] : [`**/lib/${room}/**/*.{ts,tsx}`];
}

/** The room of a file, by its path from the root of the repository; null for what lies in none. */
export function roomOfFile(path) {
  const parts = path.split("/");
  if (parts.length === 1) return /^(instrumentation|proxy)\b/.test(path) ? "app" : null;
  const room = parts[0] === "lib" ? parts[1] : parts[0];
  return room !== undefined && room in ROOMS ? room : null;
}

/** Whether a room may import `#target`, e.g. `journal/append`. */
export function mayImport(room, target) {
  if (room === "testing" || target.startsWith(`${room}/`)) return true;
  return (ROOMS[room] ?? []).some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}
