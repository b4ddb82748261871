/** An outside client of the runner in tests: it knows the address, the key and the paths, and nothing of our code. */
import { z } from "zod";
import type { Runner } from "#runner/open-runner";
import { TEST_KEY } from "./test-runner";
import { until } from "./until";

const bodySchema = z.record(z.string(), z.unknown());

export interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export class OutsideClient {
  constructor(
    private readonly runner: () => Pick<Runner, "url">,
    private readonly key = TEST_KEY,
  ) {}

  async ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Told> {
    const response = await fetch(`${this.runner().url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : bodySchema.parse(JSON.parse(text)) };
  }

  async start(message: string): Promise<{ readonly run_id: string; readonly session_id: string }> {
    const { status, body } = await this.ask("POST", "/v1/runs", { message });
    if (status !== 202) throw new Error(`The start was answered with ${status}: ${JSON.stringify(body)}`);
    return { run_id: text(body, "run_id"), session_id: text(body, "session_id") };
  }

  async reach(runId: string, status: string): Promise<Told["body"]> {
    let body: Told["body"] = {};
    await until(async () => {
      body = (await this.ask("GET", `/v1/runs/${runId}`)).body;
      return body["status"] === status;
    });
    return body;
  }

  async runsOf(sessionId: string, query = ""): Promise<readonly unknown[]> {
    return z.array(z.unknown()).parse((await this.ask("GET", `/v1/runs?session_id=${sessionId}${query}`)).body["runs"]);
  }
}

export function text(body: Told["body"], name: string): string {
  return z.string().parse(body[name]);
}
