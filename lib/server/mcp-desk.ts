/**
 * A profile's MCP servers as the settings page shows them: what its `config.yaml` names, and how the
 * owner of runs has it. Whoever owns the runs owns the connections, so what it does not tell is unknown.
 */
import { isSecretName, readEnvFile } from "#profiles/env-file";
import { readConfig } from "#profiles/config-file";
import { requireProfile } from "#profiles/home";
import { mcpServersOf, type McpServer } from "#profiles/mcp-servers";
import type { McpList, McpServerEntry } from "#protocol/profile-shapes";
import type { Runtime } from "#runtime/runtime-adapter";

export class McpDesk {
  readonly #hermesHome: string;
  readonly #runtime: Pick<Runtime, "mcpServers">;

  constructor(hermesHome: string, runtime: Pick<Runtime, "mcpServers">) {
    this.#hermesHome = hermesHome;
    this.#runtime = runtime;
  }

  /** Throws `profile_not_found`. */
  async list(profile: string): Promise<McpList> {
    const home = await requireProfile(this.#hermesHome, profile);
    const [{ config }, env] = await Promise.all([readConfig(home), readEnvFile(home)]);
    const { servers, warnings } = mcpServersOf(home, config, env);
    const told = servers.length === 0 ? null : await this.#runtime.mcpServers(profile);
    const states = told?.ok === true ? told.value : [];
    return {
      servers: servers.map((server): McpServerEntry => {
        const state = states.find((candidate) => candidate.server === server.name);
        const base = { server: server.name, transport: server.transport, place: placeOf(server, env) };
        return state === undefined ? { ...base, status: "unknown", tools: [], reason: null } : { ...base, status: state.status, tools: state.tools, reason: state.reason };
      }),
      problems: warnings.map((warning) => warning.message),
    };
  }
}

/** A command may be written with a key in it, an address with a key in its path: neither is shown. */
function placeOf(server: McpServer, env: Readonly<Record<string, string>>): string {
  if (server.transport === "http") return new URL(server.url).host;
  const secrets = Object.entries(env).flatMap(([name, value]) => (isSecretName(name) && value !== "" ? [value] : []));
  return secrets.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), server.command);
}
