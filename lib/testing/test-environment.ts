/** An agent environment for tests: one profile, and the model that the test names (the practice model unless said). */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalSettings } from "#profiles/config-settings";
import type { McpServer } from "#profiles/mcp-servers";
import type { AgentEnvironment } from "#engines/agent-environment";
import { createMcpServers } from "#agent/tools/mcp/mcp-servers";
import { createDemoPort } from "#agent/model/demo-port";
import type { ModelPort } from "#agent/model/model-port";

export interface TestEnvironmentOptions {
  readonly folder: string;
  readonly port?: ModelPort;
  readonly secrets?: readonly string[];
  readonly mcp_servers?: readonly McpServer[];
  /** `approvals` of the profile, where it says something. */
  readonly approvals?: ApprovalSettings;
}

export function createTestEnvironment(options: TestEnvironmentOptions): AgentEnvironment {
  const home = join(options.folder, "home");
  const workspace = join(options.folder, "workspace");
  const allowed = new Set<string>();
  const mcp = createMcpServers({ ambient: process.env });
  const mcpProfile = { name: "default", home, servers: options.mcp_servers ?? [] };
  const port = options.port ?? createDemoPort();
  return {
    profile: (name) => Promise.resolve(name === "default" ? { home, workspace: null } : null),
    model: (_profile, pick) => Promise.resolve({ ok: true, provider: pick.provider ?? port.provider, model: pick.model ?? "practice" }),
    workspace: async () => {
      await mkdir(workspace, { recursive: true });
      return workspace;
    },
    homeOf: () => home,
    modelOf: () => Promise.resolve({ ok: true, value: { port, context_window: 32_000, images: false } }),
    personaOf: () => Promise.resolve({ soul: null, memory: null, skills: null }),
    secretsOf: () => options.secrets ?? [],
    childEnvOf: () => ({}),
    allowlistOf: () => Promise.resolve([...allowed]),
    allow: (_profile, key) => {
      allowed.add(key);
      return Promise.resolve();
    },
    approvalsOf: () => Promise.resolve(options.approvals ?? { mode: null, timeout_s: null }),
    mcpTools: (_profile, runId, signal) => mcp.offer(mcpProfile, runId, signal),
    mcpStatus: () => Promise.resolve(mcp.status(mcpProfile)),
    close: () => mcp.close(),
    memory: { apply: () => Promise.resolve({ ok: false, text: "There is no memory in this test." }) },
    skills: { list: () => Promise.resolve([]), view: () => Promise.resolve({ ok: false, text: "There are no skills." }) },
  };
}
