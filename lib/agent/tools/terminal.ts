/**
 * `terminal`: a shell command in the workspace, in the foreground with live output or in the
 * background of the session. Its environment holds nothing of ours (see child-environment).
 */
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { contain } from "#workspace/contain";
import { AppError } from "#protocol/errors";
import type { BackgroundProcesses } from "./background-processes";
import { childEnvironment } from "./child-environment";
import { defineTool, oneLine } from "./define-tool";
import type { ProcessTable } from "./process-table";
import { type CommandEnd, type CommandResult, runCommand } from "./run-command";
import { plainText } from "./text-excerpt";
import type { Tool, ToolContext, ToolDoneStatus, ToolOutcome } from "./tool-port";

export interface TerminalPorts {
  /** The owner's environment; a child sees a few of its variables. */
  readonly ambient: Readonly<Record<string, string | undefined>>;
  readonly processes: BackgroundProcesses;
  readonly table: ProcessTable;
}

const DEFAULT_TIMEOUT_S = 180;
const MAX_TIMEOUT_S = 600;
const MAX_COMMAND_LENGTH = 100_000;

const input = z.object({
  command: z
    .string()
    .max(MAX_COMMAND_LENGTH)
    .refine((command) => command.trim() !== "" && !command.includes("\0"), "The command is empty or holds a NUL.")
    .describe("Shell command, run by bash -c. It gets no input."),
  cwd: z.string().nullish().describe("Folder in the workspace to run in; default is the workspace."),
  timeout_s: z.number().positive().max(MAX_TIMEOUT_S).nullish().describe("Seconds until the command is ended; default 180. What takes longer than 600 belongs in the background."),
  background: z.boolean().nullish().describe("Start it and go on at once, e.g. for a server. Its end is reported; use `process` for its log or to end it."),
});
type TerminalInput = z.infer<typeof input>;

function seconds(value: number): string {
  return `${value} s`;
}

interface Ending {
  readonly status: ToolDoneStatus;
  readonly exit_code: number | null;
  /** What is added to the output; "" where the output says it all. */
  readonly line: string;
}

/** As a shell says it: 128 and the number of the signal. */
const SIGNAL_CODES: Readonly<Partial<Record<NodeJS.Signals, number>>> = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGABRT: 134, SIGKILL: 137, SIGSEGV: 139, SIGPIPE: 141, SIGTERM: 143 };

function endingOf(end: CommandEnd, timeoutS: number): Ending {
  switch (end.kind) {
    case "code":
      return end.code === 0 ? { status: "ok", exit_code: 0, line: "" } : { status: "error", exit_code: end.code, line: `[exit code ${end.code}]` };
    case "signal":
      return { status: "error", exit_code: SIGNAL_CODES[end.signal] ?? null, line: `[ended by signal ${end.signal}]` };
    case "timeout":
      return { status: "error", exit_code: null, line: `[timed out after ${seconds(timeoutS)}; it was ended, ${end.stopped.survivors} of ${end.stopped.processes} processes are left]` };
    case "aborted":
      return { status: "cancelled", exit_code: null, line: "[stopped]" };
    case "failed":
      return { status: "error", exit_code: null, line: end.message };
  }
}

function toOutcome(result: CommandResult, timeoutS: number): ToolOutcome {
  const ending = endingOf(result.end, timeoutS);
  const output = plainText(result.output.text);
  const text = [output.trimEnd() === "" ? "" : output, ending.line].filter((part) => part !== "").join(output.endsWith("\n") ? "" : "\n");
  const { shown, total } = result.output;
  return {
    status: ending.status,
    result: text === "" ? "(no output)" : text,
    exit_code: ending.exit_code,
    ...(shown < total ? { truncated: { shown, total } } : {}),
  };
}

async function folderOf(context: ToolContext, cwd: string | null | undefined): Promise<string> {
  const place = await contain(context.workspace, cwd ?? "");
  const there = await stat(place.real).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!there) throw new AppError("not_found", `There is no folder ${place.relative} in the workspace.`);
  return place.real;
}

async function startInBackground(ports: TerminalPorts, request: TerminalInput, cwd: string, context: ToolContext): Promise<ToolOutcome> {
  const { mark, child_env } = context;
  const started = await ports.processes.start({ command: request.command, cwd, mark, ambient: ports.ambient, child_env });
  if (started.kind === "failed") return { status: "error", result: started.message };
  const { process_id } = started.process;
  return { status: "ok", result: `Started in the background as ${process_id}. You will be told when it ends.`, data: { kind: "background", process_id } };
}

async function runInForeground(ports: TerminalPorts, request: TerminalInput, cwd: string, context: ToolContext): Promise<ToolOutcome> {
  const mark = { ...context.mark, tree: randomUUID(), background: false };
  const environment = childEnvironment(ports.ambient, context.child_env, mark);
  const timeoutS = request.timeout_s ?? DEFAULT_TIMEOUT_S;
  const result = await runCommand(ports.table, { command: request.command, cwd, environment, mark }, timeoutS * 1000, context);
  if (result.end.kind === "aborted") context.report_stop(result.end.stopped);
  return toOutcome(result, timeoutS);
}

export function createTerminal(ports: TerminalPorts): Tool {
  return defineTool({
    name: "terminal",
    description: "Runs a shell command in the workspace and answers its output and exit code.",
    kind: "terminal",
    input,
    title: ({ command }) => oneLine(command),
    async run(request, context) {
      const cwd = await folderOf(context, request.cwd);
      if (context.signal.aborted) return { status: "cancelled", result: "[stopped before it began]" };
      return request.background === true ? startInBackground(ports, request, cwd, context) : runInForeground(ports, request, cwd, context);
    },
  });
}
