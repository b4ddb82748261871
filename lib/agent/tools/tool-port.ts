/**
 * The port between the agent loop and one tool. A tool never throws for what can be expected: it
 * answers a `ToolOutcome`. Output that streams goes through `context.update` (pieces to append);
 * the loop journals it up to the contract's limit, so a tool may call it freely.
 */
import type { PreviousFile } from "#workspace/checkpoint";
import type { z } from "zod";

export const TOOL_DONE_STATUSES = ["ok", "error", "denied", "cancelled", "interrupted"] as const;
export type ToolDoneStatus = (typeof TOOL_DONE_STATUSES)[number];

export interface ToolUpdate {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly data?: unknown;
  readonly progress?: string;
}

export interface FileChange {
  /** Workspace-relative, with forward slashes. */
  readonly path: string;
  readonly kind: "created" | "changed" | "deleted";
  readonly added: number;
  readonly removed: number;
}

export interface ToolOutcome {
  readonly status: ToolDoneStatus;
  /** What the model is told, at most 100,000 characters (terminal 50,000: 40 % head, 60 % tail). */
  readonly result: string;
  readonly exit_code?: number | null;
  /** Characters (terminal: bytes where noted in `result`) shown and in all, when cut. */
  readonly truncated?: { readonly shown: number; readonly total: number };
  readonly files?: readonly FileChange[];
  /** What the card draws: unified diff, lines of a file, places found, …, as `ToolUpdate.data`. */
  readonly data?: unknown;
}

/** Processes that were running when a stop was asked, and what is still seen after it. */
export interface StopReport {
  readonly processes: number;
  readonly survivors: number;
}

/** Marks of a run on its child processes: found again after a crash through `HERMES_CHILD_MARK`. */
export interface ProcessMark {
  readonly run_id: string;
  readonly session_id: string;
}

export interface ToolContext {
  /** Absolute path of the session's workspace; a file tool never leaves it. */
  readonly workspace: string;
  /** Absolute paths of the files that came with the person's messages: readable, although they lie outside. */
  readonly attachments: readonly string[];
  /** Absolute path of the profile's home. */
  readonly home: string;
  readonly mark: ProcessMark;
  /** Variables that children may see beside the clean base (profile .env values that are no secrets). */
  readonly child_env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly update: (piece: ToolUpdate) => void;
  /** Resolves when the journal can take more; await it between large pieces. */
  readonly drained: () => Promise<void>;
  /** What this run has read so far (path → mtime in ns + size), for the changed-since-read check. */
  readonly reads: Map<string, string>;
  /** To be awaited right before a change of a file: keeps what it was, for the diff of a workspace without git. Never rejects. */
  readonly keep_previous: (path: string, previous: PreviousFile) => Promise<void>;
  /** Called once per stopped process tree, when the tool was aborted. */
  readonly report_stop: (report: StopReport) => void;
}

export type ToolKind = "terminal" | "read" | "write" | "change" | "search" | "todo" | "ask" | "web" | "memory" | "delegate" | "other";

export interface Tool<Input = never> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly input: z.ZodType<Input>;
  /** JSON Schema of the arguments where it comes from outside (MCP): shown to the model instead of that of `input`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** One line for the card: the command, path, pattern or address. */
  readonly title: (input: Input) => string;
  /** True when every call of it waits for a person (MCP tools marked so). */
  readonly asks?: boolean;
  readonly run: (input: Input, context: ToolContext) => Promise<ToolOutcome>;
}
