/**
 * The keys of `config.yaml` that are ours to read or change: `command_allowlist`, `model` with
 * `provider`, `approvals`. A value of the wrong type counts as absent and is told as a warning.
 */
import { type Document, isMap, isScalar, isSeq } from "yaml";
import { z } from "zod";
import { editConfig, isRecord, readConfig, wrongType, type ConfigEdit, type ConfigRead, type ConfigWarning } from "./config-file";

export interface ModelChoice {
  readonly provider: string | null;
  readonly model: string | null;
}

export interface ApprovalSettings {
  /** Null where the file says nothing. */
  readonly mode: "manual" | "off" | null;
  readonly timeout_s: number | null;
}

const filled = z.string().trim().min(1);
const modelMap = z.looseObject({ default: filled.nullish(), model: filled.nullish(), name: filled.nullish(), provider: filled.nullish() });
const ALLOWLIST = "command_allowlist";

/** What a person allowed for good in this profile: pattern keys, and commands or globs written by hand. */
export async function readAllowlist(home: string): Promise<readonly string[]> {
  return allowlistOf((await readConfig(home)).config);
}

function allowlistOf(config: ConfigRead["config"]): readonly string[] {
  const list = config[ALLOWLIST];
  return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === "string") : [];
}

export async function addAllow(home: string, patternKey: string): Promise<ConfigEdit> {
  return editConfig(home, (document) => {
    const list = document.get(ALLOWLIST);
    if (isAbsent(list)) {
      document.set(ALLOWLIST, document.createNode([patternKey]));
      return true;
    }
    if (!isSeq(list)) return wrongType(home, ALLOWLIST, "a list");
    if (list.items.some((item) => isScalar(item) && item.value === patternKey)) return false;
    list.add(document.createNode(patternKey));
    return true;
  });
}

export async function removeAllow(home: string, entry: string): Promise<ConfigEdit> {
  return editConfig(home, (document) => {
    const list = document.get(ALLOWLIST);
    if (isAbsent(list)) return false;
    if (!isSeq(list)) return wrongType(home, ALLOWLIST, "a list");
    const kept = list.items.filter((item) => !(isScalar(item) && item.value === entry));
    if (kept.length === list.items.length) return false;
    list.items = kept;
    return true;
  });
}

/** Provider and model as the file has them; `auto` names no provider. */
function modelChoiceOf(config: ConfigRead["config"]): ModelChoice {
  const written = config["model"];
  const parsed = modelMap.safeParse(typeof written === "string" ? { default: written } : written);
  const model = parsed.success ? parsed.data : {};
  const beside = filled.safeParse(config["provider"]);
  const provider = model.provider ?? (beside.success ? beside.data : null);
  return { provider: provider === "auto" ? null : provider, model: model.default ?? model.model ?? model.name ?? null };
}

export async function readModelChoice(home: string): Promise<ModelChoice> {
  return modelChoiceOf((await readConfig(home)).config);
}

/** Sets what is given, leaves what is undefined, takes out what is null. */
export async function writeModelChoice(home: string, choice: { readonly provider?: string | null | undefined; readonly model?: string | null | undefined }): Promise<ConfigEdit> {
  return editConfig(home, (document) => {
    const written = document.get("model");
    if (!isAbsent(written) && !isMap(written) && typeof written !== "string") return wrongType(home, "model", "a name or a group of keys");
    const before = document.toString();
    if (!isMap(written)) document.set("model", document.createNode(typeof written === "string" ? { default: written } : {}));
    if (choice.model !== undefined) setModelName(document, choice.model);
    if (choice.provider !== undefined) {
      setOrDelete(document, ["model", "provider"], choice.provider);
      document.delete("provider");
    }
    return document.toString() !== before;
  });
}

/** A file that says `model:` or `name:` instead of `default:` goes on saying so. */
function setModelName(document: Document, model: string | null): void {
  const key = ["default", "model", "name"].find((candidate) => document.hasIn(["model", candidate])) ?? "default";
  setOrDelete(document, ["model", key], model);
}

function setOrDelete(document: Document, path: readonly string[], value: string | null): void {
  if (value === null) document.deleteIn(path);
  else document.setIn(path, value);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** `smart` asks a person here, like everything that is not `off`; YAML 1.1 reads a bare `off` as false. */
export function approvalsOf(config: ConfigRead["config"]): ApprovalSettings {
  const approvals = config["approvals"];
  if (!isRecord(approvals)) return { mode: null, timeout_s: null };
  const { mode, timeout } = approvals;
  const seconds = z.number().int().nonnegative().safeParse(timeout);
  const isOff = mode === false || (typeof mode === "string" && mode.trim().toLowerCase() === "off");
  return { mode: isAbsent(mode) ? null : isOff ? "off" : "manual", timeout_s: seconds.success ? seconds.data : null };
}

/** What is wrong with our keys, for the start and for diagnostics; the file's own faults are `readConfig`'s. */
export function settingsWarnings(home: string, config: ConfigRead["config"]): readonly ConfigWarning[] {
  const checks: readonly (readonly [string, z.ZodType, string])[] = [
    [ALLOWLIST, z.array(z.string()), "a list of texts"],
    ["model", z.union([filled, modelMap]), "a name or a group of keys"],
    ["provider", filled, "a text"],
    ["approvals", z.looseObject({ timeout: z.number().int().nonnegative().nullish() }), "a group of keys"],
    ["mcp_servers", z.record(z.string(), z.unknown()), "a group of servers"],
  ];
  return checks.flatMap(([key, schema, expected]) => (isAbsent(config[key]) || schema.safeParse(config[key]).success ? [] : [wrongType(home, key, expected)]));
}
