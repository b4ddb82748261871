/**
 * Whether a tool call runs, waits for a person, or is refused. The same call with the same permissions
 * and links on the disk is always judged the same, so a call can be judged again when its answer comes.
 *
 * Order: the hard floor refuses in every mode; mode `off` and yolo let all else run; what the session
 * or the profile has allowed runs; what is left asks. A grammar that cannot be loaded asks, or
 * refuses where nobody would be asked: the floor is never skipped.
 */
import { posix } from "node:path";
import { homedir } from "node:os";
import type { ApprovalChoice, Risk } from "#protocol/event-values";
import { isCommandAllowed } from "./allowlist";
import { findPatterns } from "./find-patterns";
import { PATTERNS, type Pattern, type PatternKey } from "./patterns";
import { realPathOf } from "./real-path";
import { sensitiveWrite } from "./sensitive-files";
import { createShellParser, type ParseShell } from "./shell-parse";
import type { ShellPlace } from "./shell-scope";
import { escapeInvisible } from "./visible";

export interface JudgeRequest {
  readonly tool: string;
  /** The originals, not the redacted ones. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Absolute. */
  readonly workspace: string;
  /** The profile's home: protected like the person's own home folder. */
  readonly home: string;
  /** The person's home folder, `~`; the account's own when left out. */
  readonly user_home?: string;
  readonly mode: "manual" | "off";
  readonly yolo: boolean;
  readonly session_allows: ReadonlySet<string>;
  /** `command_allowlist` of the profile's config.yaml. */
  readonly allowlist: readonly string[];
  /** Whether the tool itself is marked to ask before each use. */
  readonly asks: boolean;
}

export type Judgement =
  | { readonly decision: "run" }
  | { readonly decision: "refuse"; readonly reason: string; readonly pattern_keys: readonly string[] }
  | {
      readonly decision: "ask";
      /** A plain sentence of at most 12 words. */
      readonly summary: string;
      /** With visible escapes; null for what is no command. */
      readonly command: string | null;
      readonly cwd: string | null;
      readonly risk: Readonly<Risk>;
      readonly choices: readonly ApprovalChoice[];
    };

export type JudgeCall = (request: JudgeRequest) => Promise<Judgement>;

interface Finding {
  readonly key: string;
  readonly pattern: Pattern;
}

interface Subject {
  readonly findings: readonly Finding[];
  readonly command: string | null;
  readonly cwd: string | null;
}

export function createJudgeCall(loadParser: () => Promise<ParseShell>): JudgeCall {
  return async (request) => {
    const subject = await subjectOf(request, loadParser);
    const refused = subject.findings.filter((finding) => finding.pattern.category === "floor");
    if (refused.length > 0) return { decision: "refuse", reason: refused.map((finding) => finding.pattern.reason).join(" "), pattern_keys: refused.map((finding) => finding.key) };
    if (request.mode === "off" || request.yolo) return { decision: "run" };
    const open = subject.findings.filter((finding) => !isAllowed(finding, request));
    if (open.length === 0 || isAllowedCommand(subject, request)) return { decision: "run" };
    return question(open, subject);
  };
}

/** The judge of this process: the grammar is loaded on the first command. */
export const judgeCall: JudgeCall = createJudgeCall(createShellParser());

async function subjectOf(request: JudgeRequest, loadParser: () => Promise<ParseShell>): Promise<Subject> {
  const own: readonly Finding[] = request.asks ? [{ key: `tool ${request.tool}`, pattern: toolPattern(request.tool) }] : [];
  const { command, cwd, path } = request.arguments;
  if (request.tool === "terminal" && typeof command === "string") {
    const folder = posix.resolve(request.workspace, typeof cwd === "string" ? cwd : ".");
    const place: ShellPlace = { workingFolder: folder, home: request.user_home ?? homedir(), profileHome: request.home, workspace: request.workspace, realPath: realPathOf };
    const keys = await commandPatterns(command, place, request, loadParser);
    return { findings: [...keys.map((key) => ({ key, pattern: patternOf(key) })), ...own], command: escapeInvisible(command), cwd: folder };
  }
  if ((request.tool === "write_file" || request.tool === "patch") && typeof path === "string") {
    const written = posix.resolve(request.workspace, path);
    const key = sensitiveWrite(written, "file_tool") ?? sensitiveWrite(realPathOf(written), "file_tool");
    return { findings: [...(key === null ? [] : [{ key, pattern: PATTERNS[key] }]), ...own], command: null, cwd: null };
  }
  // Arguments of the wrong shape end in the tool's own check; nothing runs.
  return { findings: own, command: null, cwd: null };
}

async function commandPatterns(command: string, place: ShellPlace, request: JudgeRequest, loadParser: () => Promise<ParseShell>): Promise<readonly (PatternKey | "unjudged command")[]> {
  try {
    return findPatterns(await loadParser(), command, place);
  } catch {
    return request.mode === "manual" && !request.yolo ? ["unreadable command"] : ["unjudged command"];
  }
}

const UNJUDGED: Pattern = {
  category: "floor",
  level: "critical",
  summary: "Run a command that could not be checked",
  reason: "It could not be checked, because the command reader is missing.",
  remembered: false,
};

function patternOf(key: PatternKey | "unjudged command"): Pattern {
  return key === "unjudged command" ? UNJUDGED : PATTERNS[key];
}

function toolPattern(tool: string): Pattern {
  return { category: "code", level: "medium", summary: `Use the tool ${escapeInvisible(tool)}`, reason: "This tool asks before each use.", remembered: true };
}

function isAllowed(finding: Finding, request: JudgeRequest): boolean {
  return request.session_allows.has(finding.key) || (finding.pattern.remembered && request.allowlist.includes(finding.key));
}

/** A hand-written entry vouches for a command, not for what cannot be read or seen, nor for a tool. */
function isAllowedCommand(subject: Subject, request: JudgeRequest): boolean {
  if (subject.command === null || request.asks || subject.findings.some((finding) => !finding.pattern.remembered)) return false;
  return isCommandAllowed(subject.command, request.allowlist);
}

const RANK: Readonly<Record<Risk["level"], number>> = { low: 0, medium: 1, high: 2, critical: 3 };

function question(open: readonly Finding[], subject: Subject): Judgement {
  const [worst] = open.toSorted((first, second) => RANK[second.pattern.level] - RANK[first.pattern.level]);
  const canRemember = open.every((finding) => finding.pattern.remembered);
  return {
    decision: "ask",
    summary: worst?.pattern.summary ?? "Run a command",
    command: subject.command,
    cwd: subject.cwd,
    risk: {
      level: worst?.pattern.level ?? "medium",
      reasons: [...new Set(open.map((finding) => finding.pattern.reason))],
      pattern_keys: open.map((finding) => finding.key),
    },
    choices: canRemember ? ["once", "session", "always", "deny"] : ["once", "session", "deny"],
  };
}
