/**
 * How much later a delta reaches the client than it would through a bare pass-through route, from the
 * model server's write to the frame: one run in both placements, fifty runs at once, and one run with
 * two hundred observers. Product and reference take turns, so that a busy machine is busy for both.
 */
import { until } from "#testing/until";
import { addedRow, percentile, type Row } from "./bench-row";
import { type BenchProduct, startProduct } from "./product-stand";
import { readStamps, type StreamReading } from "./read-stream";
import type { ReferenceApp } from "./reference-app";
import { StampedModel } from "./stamped-model";

const ROUNDS = 5;
const GATE_WITHIN_MS = 60_000;
const ONE = { message: "deltas 200 every 15", streams: 1 };
const FIFTY = { message: "deltas 100 every 50", streams: 50 };
const WATCHED = { message: "deltas 100 every 50", streams: 200 };

export async function benchDelay(reference: ReferenceApp): Promise<readonly Row[]> {
  const model = new StampedModel();
  const modelUrl = await model.listen();
  const runner = await startProduct("runner-local", modelUrl);
  const inProcess = await startProduct("legacy-direct", modelUrl);
  try {
    const bench = new DelayBench(model, `${modelUrl}/chat/completions`, reference);
    return [...(await bench.oneRun(runner, inProcess)), ...(await bench.fiftyRuns(runner)), ...(await bench.manyObservers(runner))];
  } finally {
    for (const { stand } of [runner, inProcess]) await stand.clear(false);
    model.close();
  }
}

class DelayBench {
  constructor(
    private readonly model: StampedModel,
    private readonly upstream: string,
    private readonly reference: ReferenceApp,
  ) {}

  async oneRun(runner: BenchProduct, inProcess: BenchProduct): Promise<readonly Row[]> {
    const spent = { bare: Array<number>(), runner: Array<number>(), inProcess: Array<number>() };
    // The first of each warms up and does not count.
    for (let round = -1; round < ROUNDS; round += 1) {
      const bare = await this.measure(1, () => this.passing(ONE.message, ONE.streams));
      const overRunner = await this.measure(1, () => this.running(runner, ONE.message, ONE.streams));
      const within = await this.measure(1, () => this.running(inProcess, ONE.message, ONE.streams));
      if (round < 0) continue;
      spent.bare.push(...bare);
      spent.runner.push(...overRunner);
      spent.inProcess.push(...within);
    }
    return [
      ...compared("one run, model's write to the client's frame", spent.runner, spent.bare, { p50: 5, p99: 30 }),
      ...compared("the same, in process", spent.inProcess, spent.bare, { p50: 5, p99: 30 }),
      ...compared("runner against in process", spent.runner, spent.inProcess, { p50: 3, p99: 15 }),
    ];
  }

  async fiftyRuns(product: BenchProduct): Promise<readonly Row[]> {
    const { measured, bare } = await this.inTurns(
      FIFTY.streams,
      () => this.running(product, FIFTY.message, FIFTY.streams),
      () => this.passing(FIFTY.message, FIFTY.streams),
    );
    return compared("50 runs of 20 deltas a second", measured, bare, { p99: 60 });
  }

  async manyObservers(product: BenchProduct): Promise<readonly Row[]> {
    const { measured, bare } = await this.inTurns(
      1,
      async () => {
        const started = await product.product.start({ message: WATCHED.message });
        return Array.from({ length: WATCHED.streams }, () => readStamps(product.streamOf(started)));
      },
      () => Promise.resolve(Array.from({ length: WATCHED.streams }, () => readStamps(this.addressOf("fan", WATCHED.message)))),
    );
    return compared("one run with 200 observers", measured, bare, { p99: 50 });
  }

  private async inTurns(requests: number, product: () => Promise<readonly StreamReading[]>, bare: () => Promise<readonly StreamReading[]>) {
    const spent = { measured: Array<number>(), bare: Array<number>() };
    // The first of each warms up and does not count.
    for (let round = -1; round < 2; round += 1) {
      const passed = await this.measure(requests, bare);
      const measured = await this.measure(requests, product);
      if (round < 0) continue;
      spent.bare.push(...passed);
      spent.measured.push(...measured);
    }
    return spent;
  }

  private passing(message: string, streams: number): Promise<readonly StreamReading[]> {
    return Promise.resolve(Array.from({ length: streams }, () => readStamps(this.addressOf("pass", message))));
  }

  private async running(product: BenchProduct, message: string, streams: number): Promise<readonly StreamReading[]> {
    const started = await Promise.all(Array.from({ length: streams }, () => product.product.start({ message })));
    return started.map((each) => readStamps(product.streamOf(each)));
  }

  private addressOf(route: "pass" | "fan", message: string): string {
    return `${this.reference.url}/${route}?${new URLSearchParams({ url: this.upstream, message }).toString()}`;
  }

  /** Everybody is there before the first delta is written. */
  private async measure(requests: number, open: () => Promise<readonly StreamReading[]>): Promise<readonly number[]> {
    this.model.shut();
    const readings = await open();
    await Promise.all(readings.map((reading) => reading.begun));
    await until(() => this.model.waiting === requests, GATE_WITHIN_MS);
    this.model.open();
    await Promise.all(readings.map((reading) => reading.ended));
    return readings.flatMap((reading) => reading.delays);
  }
}

function compared(what: string, measured: readonly number[], bare: readonly number[], most: { readonly p50?: number; readonly p99: number }): readonly Row[] {
  const rows: Row[] = [];
  const row = (name: string, share: number, mostMs: number): void => {
    rows.push(addedRow({ what: `${what}, ${name}`, measuredMs: percentile(measured, share), referenceMs: percentile(bare, share), mostMs }));
  };
  if (most.p50 !== undefined) row("p50", 0.5, most.p50);
  row("p99", 0.99, most.p99);
  return rows;
}
