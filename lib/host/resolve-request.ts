/**
 * From what somebody asked for to what runs: every field of the request gets its value from the
 * request, else the session, else the profile, else the settings. The result is stored with the run,
 * so nothing has to be looked up again by whoever owns it later (H5).
 */
import { stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { Attachment } from "#protocol/event-values";
import { refused, succeeded } from "#protocol/control";
import type { Outcome, StartRunRequest } from "#protocol/control";
import type { Redactor } from "#journal/redact";
import { isBlank } from "#protocol/blank-text";
import { parseId } from "#protocol/ids";
import { TOOLSETS } from "#agent/tools/registry";
import type { RunRequest } from "#protocol/run-request";
import type { SessionRow } from "./session-rows";

export interface ProfileDefaults {
  readonly home: string;
  /** Absolute, or null where the profile names none. */
  readonly workspace: string | null;
}

export type ModelChoice =
  | { readonly ok: true; readonly provider: string; readonly model: string }
  | { readonly ok: false; readonly message: string };

/** What the host has to know of profiles and models; `lib/engines` implements it. */
export interface RunDefaults {
  profile(name: string): Promise<ProfileDefaults | null>;
  /** The provider and model that a pick names, filled up by the profile's and the settings' defaults. */
  model(profile: string, pick: { readonly provider: string | null; readonly model: string | null }): Promise<ModelChoice>;
  /** The default workspace of new sessions, made if missing. */
  workspace(): Promise<string>;
}

export interface ResolveInput {
  readonly asked: StartRunRequest;
  readonly session: SessionRow | null;
  readonly attachments: readonly Attachment[];
  readonly session_id: string;
  readonly defaults: RunDefaults;
  readonly redactor_for: (profile: string) => Redactor;
  /** The session of a run, or null where there is no such run. */
  readonly session_of_run: (runId: string) => Promise<string | null>;
}

export async function resolveRequest(input: ResolveInput): Promise<Outcome<RunRequest>> {
  const { asked, session, defaults } = input;
  if (isBlank(asked.message) && input.attachments.length === 0) {
    return refused("invalid_request", "A message needs words or an attachment.", { issues: [{ path: "message", message: "is empty" }] });
  }
  const wrong = wrongToolset(asked) ?? (await wrongContinuation(input));
  if (wrong !== null) return wrong;
  const profileName = asked.profile ?? session?.profile ?? "default";
  const profile = await defaults.profile(profileName);
  if (profile === null) return refused("profile_not_found", "There is no profile of this name.");
  const workspace = await chooseWorkspace(asked.workspace ?? session?.workspace ?? profile.workspace ?? null, defaults);
  if (!workspace.ok) return workspace;
  const sameProfile = session === null || session.profile === profileName;
  const choice = await defaults.model(profileName, pickModel(asked, sameProfile ? session : null));
  if (!choice.ok) return refused("invalid_request", choice.message, { issues: [{ path: "model", message: choice.message }] });
  const redactor = input.redactor_for(profileName);
  return succeeded({
    session_id: input.session_id,
    message: redactor.text(asked.message),
    attachments: [...input.attachments],
    workspace: workspace.value,
    profile: profileName,
    provider: choice.provider,
    model: choice.model,
    toolsets: [...(asked.toolsets ?? Object.keys(TOOLSETS))],
    source: asked.source ?? "webui",
    metadata: redactor.json(asked.metadata ?? {}).value,
    continues: asked.continues ?? null,
    instruction: null,
    reasoning: session?.reasoning ?? null,
  });
}

function wrongToolset({ toolsets }: StartRunRequest): Outcome<never> | null {
  const known = Object.keys(TOOLSETS);
  const issues = (toolsets ?? []).flatMap((name, index) => (known.includes(name) ? [] : [{ path: `toolsets.${index}`, message: `is none of ${known.join(", ")}` }]));
  return issues.length === 0 ? null : refused("invalid_request", `There is no such toolset. Known are ${known.join(", ")}.`, { issues });
}

async function wrongContinuation({ asked: { continues }, session_id, session_of_run }: ResolveInput): Promise<Outcome<never> | null> {
  if (continues === null || continues === undefined) return null;
  const runId = parseId("run", continues);
  if (runId !== null && (await session_of_run(runId)) === session_id) return null;
  return refused("invalid_request", "`continues` is not a run of this session.", { issues: [{ path: "continues", message: "is not a run of this session" }] });
}

/** A model that is named without a provider keeps the session's provider only when the session named both. */
function pickModel(asked: StartRunRequest, session: SessionRow | null): { readonly provider: string | null; readonly model: string | null } {
  const provider = asked.provider ?? null;
  const model = asked.model ?? null;
  if (provider !== null || model !== null) return { provider, model };
  return { provider: session?.provider ?? null, model: session?.model ?? null };
}

async function chooseWorkspace(path: string | null, defaults: RunDefaults): Promise<Outcome<string>> {
  if (path === null) return succeeded(await defaults.workspace());
  if (!isAbsolute(path) || path.includes("\0")) {
    return refused("invalid_request", "The workspace must be the absolute path of a folder.", { issues: [{ path: "workspace", message: "is not an absolute path" }] });
  }
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isDirectory()) {
    return refused("invalid_request", "There is no folder at the workspace's path.", { issues: [{ path: "workspace", message: "is not a folder" }] });
  }
  return succeeded(resolve(path));
}
