/** What the product's processes cost beside a bare `next start`: until they are ready, while nothing happens, and under an answer that nobody watches. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "#testing/until";
import { Stand } from "../trials/stand";
import { costRow, limitRow, median, type Row } from "./bench-row";
import { startProduct } from "./product-stand";
import type { ReferenceApp } from "./reference-app";
import { StampedModel } from "./stamped-model";

const ROUNDS = 5;
const SETTLES_MS = 15_000;
const IDLE_MS = 20_000;
const PAGE_BYTES = 4096;
const TICKS_PER_SECOND = 100;
const MEGABYTE = 1_000_000;
const KILOBYTES = 50_000;
const NAMES = ["supervisor", "web", "runner"] as const;

export async function benchProcesses(reference: ReferenceApp): Promise<readonly Row[]> {
  return [await benchStart(reference), ...(await benchIdle(reference)), ...(await benchUnwatched())];
}

/** On a built tree, each until it has served a request: that is what our word "Ready" says, and Next's does not. */
async function benchStart(reference: ReferenceApp): Promise<Row> {
  const spent = { product: Array<number>(), bare: Array<number>() };
  const stand = await Stand.create({ adapter: "runner-local" });
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await reference.stop();
      const bareBegun = performance.now();
      await reference.start();
      await (await fetch(reference.url)).text();
      spent.bare.push(performance.now() - bareBegun);
      const begun = performance.now();
      await stand.start(undefined, ["npm", "start", "--silent", "--"]);
      spent.product.push(performance.now() - begun);
      await stand.stop();
    }
  } finally {
    await stand.clear(false);
  }
  return costRow({ what: "npm start to Ready, against bare next start to its first page", unit: "ms", measured: median(spent.product), reference: median(spent.bare), most: 3 });
}

async function benchIdle(reference: ReferenceApp): Promise<readonly Row[]> {
  const stand = await Stand.create({ adapter: "runner-local" });
  try {
    await reference.stop();
    await reference.start();
    await stand.start();
    for (const url of [`${stand.url}/api/health`, reference.url]) await (await fetch(url)).text();
    await pause(SETTLES_MS);
    const pids = NAMES.map((name) => stand.pidOf(name) ?? 0);
    const before = pids.map(cpuSeconds);
    await pause(IDLE_MS);
    const spent = pids.map(cpuSeconds).map((after, index) => after - (before[index] ?? 0));
    const sizes = pids.map((pid) => residentBytes(pid) / MEGABYTE);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    return [
      costRow({ what: `idle memory of ${NAMES.map((name, index) => `${name} ${sizes[index]?.toFixed(0)}`).join(", ")}, against bare next start`, unit: "MB", measured: sum(sizes), reference: residentBytes(reference.pid) / MEGABYTE, most: 3 }),
      limitRow({ what: "idle processor time of all three", measured: (sum(spent) / (IDLE_MS / 1000)) * 100, unit: "% of a core", below: 1 }),
    ];
  } finally {
    await stand.clear(false);
  }
}

/** 50,000 deltas of 1 KB, as fast as the runner takes them, and no observer. */
async function benchUnwatched(): Promise<readonly Row[]> {
  const model = new StampedModel();
  const { stand, product } = await startProduct("runner-local", await model.listen());
  try {
    // What a process grows by in its first work is nobody's answer.
    const warm = await product.start({ message: "kilobytes 200" });
    await until(async () => (await product.status(warm.stream_id)).terminal_state !== null, 60_000);
    await pause(2_000);
    const pids = { runner: stand.pidOf("runner") ?? 0, web: stand.pidOf("web") ?? 0 };
    const before = { runner: residentBytes(pids.runner), web: residentBytes(pids.web) };
    const most = { ...before };
    const sampling = setInterval(() => {
      most.runner = Math.max(most.runner, residentBytes(pids.runner));
      most.web = Math.max(most.web, residentBytes(pids.web));
    }, 20);
    const started = await product.start({ message: `kilobytes ${KILOBYTES}` });
    await until(async () => (await product.status(started.stream_id)).terminal_state !== null, 300_000).finally(() => clearInterval(sampling));
    return (["runner", "web"] as const).map((name) =>
      limitRow({ what: `growth of the ${name} process by 50,000 unwatched deltas of 1 KB`, measured: (most[name] - before[name]) / MEGABYTE, unit: "MB", below: 100 }),
    );
  } finally {
    await stand.clear(false);
    model.close();
  }
}

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES;
}

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
