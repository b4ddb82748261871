/**
 * A slash command: what it is called, what it takes, when it can be used, and what it does. Actions go
 * through the same runtime and sessions as the routes; a command has no way of its own to anything.
 */
import type { Runtime } from "#runtime/runtime-adapter";
import type { CopyAttachment } from "#sessions/branch-session";
import type { SessionDefaults } from "#sessions/session-defaults";
import type { SessionsRoom } from "#sessions/sessions-room";
import type { SessionSummary } from "#protocol/session-shapes";

export type ModelNaming =
  | { readonly ok: true; readonly provider: string; readonly model: string }
  | { readonly ok: false; readonly message: string };

/** What commands reach. */
export interface CommandTools {
  readonly room: SessionsRoom;
  readonly defaults: SessionDefaults;
  readonly runtime: Runtime;
  readonly copyAttachment: CopyAttachment;
  /** The model that a person named for a profile; `null`: what is used when none is named. */
  nameModel(profile: string, name: string | null): Promise<ModelNaming>;
}

export interface CommandCall {
  readonly tools: CommandTools;
  readonly session: SessionSummary;
  /** What stands behind the name, without blanks and quotes around it. */
  readonly argument: string;
}

export interface CommandResult {
  readonly message: string;
  /** A session that the command made. */
  readonly session_id?: string;
  /** A run that the command began. */
  readonly stream_id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** What it takes, for people; "" for nothing. */
  readonly args: string;
  readonly description: string;
  /** `idle`: only while no run of the session is active. */
  readonly when: "always" | "idle";
  run(call: CommandCall): Promise<CommandResult>;
}
