/**
 * `mcp_servers` of `config.yaml`: programs to start (stdio) and addresses to call (http). Texts may
 * name variables as `${NAME}`; their values come from the profile's `.env`, given by the caller. A
 * server that does not fit is left out, with a warning that names it.
 */
import { z } from "zod";
import { isRecord, wrongType, type ConfigRead, type ConfigWarning } from "./config-file";
import { secretValues } from "./env-file";

interface McpServerBase {
  readonly name: string;
  /** Seconds for one tool call; null = the caller's default. */
  readonly timeout_s: number | null;
  /** Names of tools to offer; null = all but `exclude`. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
  /** Tools that wait for a person before each use. */
  readonly asks: "all" | readonly string[];
}

export type McpServer =
  | (McpServerBase & { readonly transport: "stdio"; readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd: string | null })
  | (McpServerBase & { readonly transport: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> });

const texts = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String));
const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const common = {
  enabled: z.boolean().nullish(),
  timeout: z.number().positive().nullish(),
  tools: z.looseObject({ include: texts.nullish(), exclude: texts.nullish() }).nullish(),
  asks: z.union([z.boolean(), texts]).nullish(),
};
const stdio = z.looseObject({ ...common, command: z.string().trim().min(1), args: texts.nullish(), env: values.nullish(), cwd: z.string().nullish() });
const http = z.looseObject({ ...common, url: z.string().trim().min(1), headers: values.nullish() });
type Common = z.infer<z.ZodObject<typeof common>>;

const MAX_SERVERS = 64;
/** As for variables of `.env`: shorter values would black out ordinary words. */
const MIN_SECRET_LENGTH = 8;

export function mcpServersOf(home: string, config: ConfigRead["config"], env: Readonly<Record<string, string>>): { readonly servers: readonly McpServer[]; readonly warnings: readonly ConfigWarning[] } {
  const written = config["mcp_servers"];
  if (written === undefined || written === null) return { servers: [], warnings: [] };
  if (!isRecord(written)) return { servers: [], warnings: [wrongType(home, "mcp_servers", "a group of servers")] };
  const read = Object.entries(written).slice(0, MAX_SERVERS).map(([name, entry]) => readServer(home, name, entry, env));
  return {
    servers: read.filter((server): server is McpServer => server !== null && !("code" in server)),
    warnings: read.filter((server): server is ConfigWarning => server !== null && "code" in server),
  };
}

/** Values written right into the file that must never be stored or shown: by the name of the variable, and of headers that authorise. */
export function mcpSecrets(servers: readonly McpServer[]): readonly string[] {
  return servers.flatMap((server) => {
    if (server.transport === "stdio") return secretValues(server.env);
    const keys = Object.entries(server.headers).filter(([name]) => /authorization|cookie|key|token|secret|password/i.test(name));
    // `Bearer <key>`: the key is the secret wherever it turns up.
    return keys.flatMap(([, value]) => [value, value.split(" ").at(-1) ?? ""]).filter((value) => value.length >= MIN_SECRET_LENGTH);
  });
}

/** Null for a server that is switched off. */
function readServer(home: string, name: string, entry: unknown, env: Readonly<Record<string, string>>): McpServer | ConfigWarning | null {
  const program = stdio.safeParse(entry);
  if (program.success) {
    const { command, args, env: variables, cwd } = program.data;
    const fill = (text: string): string => fillIn(text, env);
    return isOff(program.data) ? null : { ...base(name, program.data), transport: "stdio", command: fill(command), args: (args ?? []).map(fill), env: mapValues(variables ?? {}, fill), cwd: cwd ?? null };
  }
  const address = http.safeParse(entry);
  if (!address.success) return wrongType(home, `mcp_servers.${name}`, "a server with a command or a url");
  if (isOff(address.data)) return null;
  const url = fillIn(address.data.url, env);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return wrongType(home, `mcp_servers.${name}.url`, "an http or https address");
  return { ...base(name, address.data), transport: "http", url, headers: mapValues(address.data.headers ?? {}, (text) => fillIn(text, env)) };
}

function isOff(entry: Common): boolean {
  return entry.enabled === false;
}

function base(name: string, entry: Common): McpServerBase {
  const { timeout, tools, asks } = entry;
  return { name, timeout_s: timeout ?? null, include: tools?.include ?? null, exclude: tools?.exclude ?? [], asks: asks === true ? "all" : asks === false || asks == null ? [] : asks };
}

function fillIn(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => env[name] ?? whole);
}

function mapValues(record: Readonly<Record<string, string>>, change: (value: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
