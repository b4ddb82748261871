/** What an operator can watch, as Prometheus text; in a registry of the server's own, never the global one. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { StreamGauge } from "#http/stream-gauge";

export interface RequestMeasure {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

export interface MetricsPlan {
  readonly version: string;
  readonly adapter: string;
  readonly streams: StreamGauge;
  /** Unfinished runs, read when somebody asks for the metrics. */
  readonly activeRuns: () => Promise<number>;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter;
  readonly #durations: Histogram;

  constructor(plan: MetricsPlan) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: "hermes_" });
    this.#requests = new Counter({
      name: "hermes_http_requests_total",
      help: "Answered requests.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#durations = new Histogram({
      name: "hermes_http_request_seconds",
      help: "Time to the answer's head.",
      labelNames: ["method", "route"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    });
    new Gauge({
      name: "hermes_streams_open",
      help: "Open event streams.",
      registers,
      collect() {
        this.set(plan.streams.count);
      },
    });
    new Gauge({
      name: "hermes_runs_active",
      help: "Runs that have not ended.",
      registers,
      async collect() {
        this.set(await plan.activeRuns());
      },
    });
    new Gauge({ name: "hermes_build_info", help: "Version and adapter.", labelNames: ["version", "adapter"], registers })
      .labels(plan.version, plan.adapter)
      .set(1);
  }

  count({ method, route, status, seconds }: RequestMeasure): void {
    this.#requests.inc({ method, route, status: String(status) });
    this.#durations.observe({ method, route }, seconds);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
