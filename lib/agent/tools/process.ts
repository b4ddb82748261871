/** `process`: the background processes of this session — which there are, what they print, ending one. */
import { z } from "zod";
import type { BackgroundProcess, BackgroundProcesses } from "./background-processes";
import { defineTool } from "./define-tool";
import { excerptOf, plainText } from "./text-excerpt";
import type { Tool, ToolOutcome } from "./tool-port";

const LOG_CHARACTERS = 50_000;

const input = z.object({
  action: z.enum(["list", "log", "kill"]),
  process_id: z.string().nullish().describe("For log and kill: the id that terminal answered."),
});

function stateOf(view: BackgroundProcess): string {
  if (view.status === "running") return "running";
  const how = view.signal === null ? `exit code ${view.exit_code ?? 0}` : `signal ${view.signal}`;
  return view.status === "stopped" ? "stopped" : `ended, ${how}`;
}

function listAll(processes: readonly BackgroundProcess[]): ToolOutcome {
  const lines = processes.map((view) => `${view.process_id}  ${stateOf(view)}  ${view.command}`);
  return { status: "ok", result: lines.length === 0 ? "There are no background processes." : lines.join("\n"), data: { kind: "processes", processes } };
}

function unknown(id: string): ToolOutcome {
  return { status: "error", result: `There is no background process ${id} in this session.` };
}

function showLog(processes: BackgroundProcesses, session: string, id: string): ToolOutcome {
  const log = processes.log(session, id);
  if (log === null) return unknown(id);
  const text = plainText(log.text);
  const { text: shown } = excerptOf(text, LOG_CHARACTERS, (kept) => `[log cut: ${kept} of ${log.total} characters shown]`);
  return { status: "ok", result: shown === "" ? "(no output yet)" : shown };
}

async function end(processes: BackgroundProcesses, session: string, id: string): Promise<ToolOutcome> {
  const report = await processes.stop(session, id);
  if (report === null) return processes.log(session, id) === null ? unknown(id) : { status: "error", result: `${id} is not running any more.` };
  if (report.survivors > 0) return { status: "error", result: `${report.survivors} of ${report.processes} processes could not be ended.` };
  return { status: "ok", result: `${id} was ended.` };
}

export function createProcess(processes: BackgroundProcesses): Tool {
  return defineTool({
    name: "process",
    description: "Lists the background processes of this session, shows the log of one, or ends one.",
    kind: "terminal",
    input,
    title: ({ action, process_id }) => (action === "list" ? "list processes" : `${action} ${process_id ?? ""}`.trim()),
    async run({ action, process_id }, { mark }) {
      if (action === "list") return listAll(processes.list(mark.session_id));
      if (process_id === null || process_id === undefined) return { status: "error", result: `process_id is needed for ${action}.` };
      return action === "log" ? showLog(processes, mark.session_id, process_id) : end(processes, mark.session_id, process_id);
    },
  });
}
