/** One open connection to an MCP server as the rest of the room sees it. Loaded apart, see `open-client`. */
import type { ReadTools } from "./server-tools";
import type { ToolOutcome } from "../tool-port";

export interface ServerCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Without a sign of life; progress counts as one. */
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

export type ServerAnswer =
  | { readonly kind: "outcome"; readonly outcome: ToolOutcome }
  /** The server said that it will not; the connection is good. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "aborted" }
  /** The connection is over. */
  | { readonly kind: "broken"; readonly message: string };

export interface ServerClient {
  readonly tools: ReadTools;
  /** Asks for the tools anew when the server said that they changed; keeps the old ones when that fails. */
  refresh(): Promise<void>;
  /** Never rejects. */
  call(call: ServerCall): Promise<ServerAnswer>;
  /** Resolves with what is known of it once the connection is over, also after `close`. */
  readonly over: Promise<string>;
  /** Never rejects; ends a program with its whole tree. */
  close(): Promise<void>;
}
