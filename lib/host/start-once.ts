/** A start that is asked for twice, under one `run_id` or else one `client_message_id`, happens once (see `Receipts`). */
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import { refused } from "#protocol/control";
import type { Outcome, RunStartResult, StartRunRequest } from "#protocol/control";
import { NO_RECEIPT, Receipts, type WriteReceipt } from "./receipts";
import { tellStart } from "./told-start";

export class StartOnce {
  private readonly receipts: Receipts;

  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
    now: () => number,
  ) {
    this.receipts = new Receipts("start of a run", database, now);
  }

  run(asked: StartRunRequest, start: (receipt: WriteReceipt) => Promise<Outcome<RunStartResult>>): Promise<Outcome<RunStartResult>> {
    const { run_id: runId, ...body } = asked;
    const key = keyOf(asked);
    if (key === null) return start(NO_RECEIPT);
    return this.receipts.once({
      key,
      body,
      act: async (receipt) => ((await this.isTaken(runId)) ? refused("idempotency_conflict", "This id is another run's already.") : start(receipt)),
      repeat: ({ run_id, title }) => tellStart(this.journal, run_id ?? "", title),
    });
  }

  /** A run of that id whose receipt is gone was somebody's too: it is never the answer to another request. */
  private async isTaken(runId: string | null | undefined): Promise<boolean> {
    const { rows } = await this.database.execute({ sql: "SELECT 1 FROM runs WHERE run_id = ?", args: [runId ?? null] });
    return rows.length > 0;
  }
}

function keyOf({ run_id, client_message_id }: StartRunRequest): string | null {
  if (run_id !== null && run_id !== undefined) return run_id;
  return client_message_id === null || client_message_id === undefined || client_message_id === "" ? null : `message ${client_message_id}`;
}
