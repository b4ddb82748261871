/**
 * What the host and its engine know of profiles, settings and models: one place that reads a
 * profile's home, so that a run touches only its own (H5). The files may change at any time and
 * belong to the person; nothing of them is kept, save secrets and child variables, which writers need
 * without waiting and which are read again at every start.
 */
import type { RunFailureCode } from "#protocol/errors";
import type { RunRequest } from "#protocol/run-request";
import type { ApprovalSettings } from "#profiles/config-settings";
import type { McpOffer, McpServerStatus } from "#agent/tools/mcp/mcp-servers";
import type { MemoryPort } from "#agent/tools/memory";
import type { SkillsPort } from "#agent/tools/skills";
import type { ResolvedModel } from "#agent/run-context";

export interface Persona {
  readonly soul: string | null;
  readonly memory: string | null;
  readonly skills: string | null;
}

export type ModelOfRun =
  | { readonly ok: true; readonly value: ResolvedModel }
  | { readonly ok: false; readonly code: RunFailureCode; readonly message: string };

export interface AgentEnvironment {
  profile(name: string): Promise<{ readonly home: string; readonly workspace: string | null } | null>;
  model(
    profile: string,
    pick: { readonly provider: string | null; readonly model: string | null },
  ): Promise<{ readonly ok: true; readonly provider: string; readonly model: string } | { readonly ok: false; readonly message: string }>;
  workspace(): Promise<string>;
  homeOf(profile: string): string;
  modelOf(request: RunRequest, signal: AbortSignal): Promise<ModelOfRun>;
  personaOf(profile: string): Promise<Persona>;
  secretsOf(profile: string): readonly string[];
  childEnvOf(profile: string): Readonly<Record<string, string>>;
  /** `command_allowlist` of the profile's `config.yaml`. */
  allowlistOf(profile: string): Promise<readonly string[]>;
  allow(profile: string, patternKey: string): Promise<void>;
  /** `approvals` of the profile's `config.yaml`; null is what it does not say. */
  approvalsOf(profile: string): Promise<ApprovalSettings>;
  /** Tools of the profile's MCP servers for one run; in at most 10 s, never rejects. */
  mcpTools(profile: string, runId: string, signal: AbortSignal): Promise<McpOffer>;
  /** Its MCP servers as they are; opens none. */
  mcpStatus(profile: string): Promise<readonly McpServerStatus[]>;
  /** Ends what belongs to no run: the MCP servers. Whoever hosts runs on it calls this last. */
  close(): Promise<void>;
  readonly memory: MemoryPort;
  readonly skills: SkillsPort;
}
