/**
 * One JSON line per entry, to stderr and to `$STATE_DIR/logs/<process>.log`. Every text of an entry
 * passes the redactor that the caller gives (it knows the secrets) before it leaves the process.
 * Neither a closed terminal nor a full disk may end the process that logs.
 */
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { type LogFileLimits, openLogFile } from "./log-file";
import type { ProcessName } from "./pid-file";
import type { LogLevel } from "./settings";
import { logDirectory } from "./state-directory";

export interface LoggerPlan {
  readonly process: ProcessName;
  readonly stateDirectory: string;
  readonly level: LogLevel;
  /** Takes known secrets and secret-shaped strings out of a text. */
  readonly redact: (text: string) => string;
  readonly limits?: LogFileLimits;
  /** Where a line goes besides the file; stderr unless told otherwise. */
  readonly writeLine?: (line: string) => void;
}

export function createLogger(plan: LoggerPlan): Logger {
  const file = openLogFile(join(logDirectory(plan.stateDirectory), `${plan.process}.log`), plan.limits);
  const writeLine = plan.writeLine ?? writeToStderr;
  return pino(
    {
      level: plan.level,
      base: { process: plan.process, pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write(line: string) {
        const safe = redactLine(line, plan.redact);
        file.write(safe);
        writeLine(safe);
      },
    },
  );
}

/** The texts are redacted one by one: in the line itself a secret with a quote in it would look different. */
function redactLine(line: string, redact: (text: string) => string): string {
  const entry: unknown = JSON.parse(line);
  return `${JSON.stringify(redactTexts(entry, redact))}\n`;
}

function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactTexts(item, redact)]));
}

/** A terminal that is gone answers by an error event, which would end the process if nobody listened. */
function writeToStderr(line: string): void {
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", ignoreLostTerminal);
  process.stderr.write(line);
}

function ignoreLostTerminal(): void {
  // The log file has the line.
}
