import { parseArgs } from "node:util";
import { systemErrorCode } from "#config/system-error";

export type StartCommand = "start" | "status" | "stop" | "restart-web" | "help";

export interface StartOptions {
  readonly command: StartCommand;
  readonly port: string | null;
  readonly host: string | null;
  readonly adapter: string | null;
  /** Whether to open a browser once the page can be used. */
  readonly open: boolean;
}

export type StartOptionsResult =
  | { readonly ok: true; readonly options: StartOptions }
  | { readonly ok: false; readonly message: string };

export const START_USAGE = `Usage: npm start -- [options]
  --port <number>      port of the page (8787)
  --host <address>     address to listen on (127.0.0.1)
  --adapter <mode>     legacy-direct, legacy-journal or runner-local
  --open               open a browser (--no-open: do not)
  --status             say what runs
  --stop               stop what runs
  --restart-web        restart the web process only; runs go on`;

/** The options after `npm start --`; an unknown one, or one without its value, is a message. */
export function parseStartOptions(words: readonly string[]): StartOptionsResult {
  try {
    const { values } = parseArgs({
      args: [...words],
      strict: true,
      allowPositionals: false,
      options: {
        port: { type: "string" },
        host: { type: "string" },
        adapter: { type: "string" },
        open: { type: "boolean" },
        "no-open": { type: "boolean" },
        status: { type: "boolean" },
        stop: { type: "boolean" },
        "restart-web": { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    const named = (["status", "stop", "restart-web", "help"] as const).filter((name) => values[name] === true);
    if (named.length > 1) return { ok: false, message: `--${named.join(" and --")} exclude each other.` };
    return {
      ok: true,
      options: {
        command: named[0] ?? "start",
        port: values.port ?? null,
        host: values.host ?? null,
        adapter: values.adapter ?? null,
        open: values.open === true && values["no-open"] !== true,
      },
    };
  } catch (error) {
    if (systemErrorCode(error)?.startsWith("ERR_PARSE_ARGS") !== true || !(error instanceof Error)) throw error;
    return { ok: false, message: `${error.message.split("\n")[0]} See npm start -- --help.` };
  }
}
