/**
 * The agent environment from settings and the profiles' homes (H5): the process's own provider keys
 * merged with the profile's `.env`, the profile's `config.yaml`, its persona, its memory and skills.
 * A profile is read again at every start; secrets and child variables of the last reading are kept,
 * because writers need them without waiting.
 */
import { mkdir, readFile } from "node:fs/promises";
import type { Settings } from "#config/settings";
import { readAmbientEnvironment } from "#config/ambient-environment";
import { knownSecrets } from "#config/known-secrets";
import { providerEnvironment } from "#config/provider-environment";
import { providerSecrets, resolveModel } from "#agent/model/registry";
import type { LoadImage } from "#agent/model/model-port";
import type { ModelSource } from "#agent/model/provider-settings";
import { createMcpServers, type McpProfile } from "#agent/tools/mcp/mcp-servers";
import { withRetry } from "#agent/model/with-retry";
import { type ConfigWarning, readConfig } from "#profiles/config-file";
import { addAllow, approvalsOf, readAllowlist, settingsWarnings } from "#profiles/config-settings";
import { childEnv, overEnvironment, readEnvFile, secretValues } from "#profiles/env-file";
import type { ProfileEnv } from "#profiles/env-file";
import { SecretBook } from "#profiles/secret-book";
import { mcpSecrets, mcpServersOf } from "#profiles/mcp-servers";
import { DEFAULT_PROFILE, listProfiles, profileHome, requireProfile } from "#profiles/home";
import { renderMemory } from "#profiles/memory";
import { listSkills } from "#profiles/skills";
import { readSoul } from "#profiles/soul";
import { findAttachment } from "#workspace/attachments";
import { AppError } from "#protocol/errors";
import type { AgentEnvironment, ModelOfRun } from "./agent-environment";
import { createMemoryPort, createSkillsPort } from "./profile-ports";

const RESOLVE_BOUND_MS = 2_000;

interface ProfileFacts {
  readonly source: ModelSource;
  readonly secrets: readonly string[];
  readonly child_env: ProfileEnv;
  readonly mcp: McpProfile;
}

/** Where it is told what is wrong with a profile's files. */
export interface EnvironmentLogger {
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
}

/** Reads every profile once, so that runs that are resumed find their secrets known. */
export async function createAgentEnvironment(settings: Settings, logger: EnvironmentLogger): Promise<AgentEnvironment> {
  const environment = new ProfileEnvironment(settings, logger);
  for (const profile of await listProfiles(settings.hermesHome)) await environment.read(profile.name);
  return environment;
}

class ProfileEnvironment implements AgentEnvironment {
  readonly memory = createMemoryPort();
  readonly skills = createSkillsPort();
  private readonly facts = new Map<string, ProfileFacts>();
  private readonly mcp = createMcpServers({ ambient: readAmbientEnvironment() });
  /** Keys that were saved since: a run that is at work must not say them either. */
  private readonly saved = new SecretBook();
  /** What was said last of each profile: the same is not said at every start. */
  private readonly told = new Map<string, string>();
  private readonly base: Readonly<Record<string, string>>;
  private readonly loadImage: LoadImage;

  constructor(
    private readonly settings: Settings,
    private readonly logger: EnvironmentLogger,
  ) {
    this.base = providerEnvironment(settings);
    this.loadImage = async (id) => {
      const found = await findAttachment(settings.stateDirectory, id);
      return found === null ? null : readFile(found.path);
    };
  }

  async read(profile: string): Promise<ProfileFacts> {
    const home = this.homeOf(profile);
    const [env, { config, warnings }] = await Promise.all([readEnvFile(home), readConfig(home)]);
    const source: ModelSource = { env: overEnvironment(this.base, env), config };
    const mcp = mcpServersOf(home, config, env);
    this.tell(profile, [...warnings, ...settingsWarnings(home, config), ...mcp.warnings]);
    const facts = {
      source,
      secrets: [...new Set([...knownSecrets(this.settings), ...providerSecrets(source), ...secretValues(env), ...mcpSecrets(mcp.servers)])],
      child_env: childEnv(env),
      mcp: { name: profile, home, servers: mcp.servers },
    };
    this.facts.set(profile, facts);
    return facts;
  }

  private tell(profile: string, warnings: readonly ConfigWarning[]): void {
    const messages = [...new Set(warnings.map((warning) => warning.message))];
    const text = messages.join("\n");
    if ((this.told.get(profile) ?? "") === text) return;
    this.told.set(profile, text);
    for (const message of messages) this.logger.warn({ profile }, message);
  }

  async profile(name: string) {
    try {
      const home = await requireProfile(this.settings.hermesHome, name);
      await this.read(name);
      return { home, workspace: null };
    } catch (cause) {
      if (cause instanceof AppError && cause.code === "profile_not_found") return null;
      throw cause;
    }
  }

  async model(profile: string, pick: { readonly provider: string | null; readonly model: string | null }) {
    const { source } = await this.read(profile);
    const found = await resolveModel(source, pick, { load_image: this.loadImage, signal: AbortSignal.timeout(RESOLVE_BOUND_MS) });
    if (found.ok) return { ok: true as const, provider: found.provider, model: found.model };
    // A provider that is known but cannot be used now is a failed run with its reason, not a refused message.
    if (found.code !== "model_not_found" && pick.provider !== null) return { ok: true as const, provider: pick.provider, model: pick.model ?? "" };
    return { ok: false as const, message: found.message };
  }

  async workspace(): Promise<string> {
    await mkdir(this.settings.workspace, { recursive: true });
    return this.settings.workspace;
  }

  homeOf(profile: string): string {
    return profileHome(this.settings.hermesHome, profile);
  }

  async modelOf(request: Parameters<AgentEnvironment["modelOf"]>[0], signal: AbortSignal): Promise<ModelOfRun> {
    const { source } = await this.read(request.profile);
    const found = await resolveModel(source, { provider: request.provider, model: request.model }, { load_image: this.loadImage, signal });
    if (!found.ok) return { ok: false, code: found.code, message: found.message };
    return { ok: true, value: { port: withRetry(found.port), context_window: found.context_window, images: found.images } };
  }

  async personaOf(profile: string) {
    const home = this.homeOf(profile);
    const [soul, memory, skills] = await Promise.all([readSoul(home), renderMemory(home), listSkills(home)]);
    const index = skills.map((skill) => `- ${skill.name}: ${skill.description}`).join("\n");
    return { soul, memory, skills: index === "" ? null : index };
  }

  secretsOf(profile: string): readonly string[] {
    const name = this.facts.has(profile) ? profile : DEFAULT_PROFILE;
    const read = this.facts.get(name)?.secrets ?? knownSecrets(this.settings);
    const more = this.saved.of(this.homeOf(name)).filter((value) => !read.includes(value));
    return more.length === 0 ? read : [...read, ...more];
  }

  childEnvOf(profile: string): ProfileEnv {
    return this.facts.get(profile)?.child_env ?? {};
  }

  allowlistOf(profile: string): Promise<readonly string[]> {
    return readAllowlist(this.homeOf(profile));
  }

  /** Throws `conflict` where the profile's file cannot be edited: the person is told, nothing is lost. */
  async allow(profile: string, patternKey: string): Promise<void> {
    const edit = await addAllow(this.homeOf(profile), patternKey);
    if (edit.status === "refused") throw new AppError("conflict", edit.warning.message);
  }
  async approvalsOf(profile: string) {
    return approvalsOf((await readConfig(this.homeOf(profile))).config);
  }

  async mcpTools(profile: string, runId: string, signal: AbortSignal) {
    return this.mcp.offer((await this.read(profile)).mcp, runId, signal);
  }

  async mcpStatus(profile: string) {
    return this.mcp.status((await this.read(profile)).mcp);
  }

  close(): Promise<void> {
    return this.mcp.close();
  }
}
