/**
 * A runner outlives the supervisor that started it. The next one takes it over when it is healthy, of
 * this version, not on its way out, and takes our key; any other is asked to drain and waited for,
 * since there may be only one per state directory.
 */
import type { PidRecord } from "#config/pid-file";
import { adoptProcess, stopProcess, type WatchedProcess } from "./child-process";
import { probeHealth } from "./health-probe";
import { httpGet } from "./http-get";
import { poll } from "./wait";

export interface RunnerThere {
  readonly record: PidRecord;
  readonly url: string;
  readonly key: string | null;
  readonly version: string;
  readonly stopGraceMs: number;
}

export type Adoption =
  | { readonly adopted: true; readonly process: WatchedProcess }
  | { readonly adopted: false; readonly reason: string };

/** One that starts at this moment gets so long to answer. */
const ANSWER_WITHIN_MS = 5000;
const PROBE_TIMEOUT_MS = 1000;

/** @param signals `watch` ends the watching, `force` kills a runner that drains */
export async function adoptRunner(there: RunnerThere, signals: { readonly watch: AbortSignal; readonly force: AbortSignal }): Promise<Adoption> {
  const process = adoptProcess(there.record.pid, there.record.start_mark, signals.watch);
  const reason = await whyNot(there, signals.watch);
  if (reason === null) return { adopted: true, process };
  await stopProcess(process, there.stopGraceMs, signals.force);
  return { adopted: false, reason };
}

async function whyNot(there: RunnerThere, signal: AbortSignal): Promise<string | null> {
  if (there.url !== there.record.url) return `it listens on ${there.record.url}`;
  const health = await poll(
    async () => {
      const probe = await probeHealth(`${there.url}/health`, PROBE_TIMEOUT_MS);
      return probe.answered ? probe.health : null;
    },
    { everyMs: 200, timeoutMs: ANSWER_WITHIN_MS, signal },
  );
  if (health === null) return "it does not answer";
  if (health.pid !== there.record.pid) return "another process answers at its address";
  if (health.draining === true || health.status === "draining") return "it is draining";
  if (health.version !== there.version) return `it is of version ${health.version ?? "unknown"}`;
  return (await takesKey(there)) ? null : "it has another key";
}

async function takesKey({ url, key }: RunnerThere): Promise<boolean> {
  const headers: Readonly<Record<string, string>> = key === null ? {} : { authorization: `Bearer ${key}` };
  return (await httpGet(`${url}/v1/capabilities`, PROBE_TIMEOUT_MS, headers))?.status === 200;
}
