/** A message of a session that is sent twice under one `client_message_id` is taken once (see `Receipts`). */
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import { succeeded } from "#protocol/control";
import type { Outcome, QueueRequest, QueueResult } from "#protocol/control";
import { NO_RECEIPT, Receipts, type Receipt, type WriteReceipt } from "./receipts";
import { tellStart } from "./told-start";

export class MessageOnce {
  private readonly receipts: Receipts;

  constructor(
    database: Database,
    private readonly journal: Journal,
    now: () => number,
  ) {
    this.receipts = new Receipts("message of a session", database, now);
  }

  async run(sessionId: string, asked: QueueRequest, add: (receipt: WriteReceipt) => Promise<Outcome<QueueResult>>): Promise<Outcome<QueueResult>> {
    const { client_message_id: id, ...body } = asked;
    if (id === null || id === undefined || id === "") return add(NO_RECEIPT);
    const key = `${sessionId} ${id}`;
    const act = async (receipt: WriteReceipt): Promise<Outcome<QueueResult>> => {
      const added = await add(receipt);
      // Begun right after it was stored: nobody was told yet that it waits.
      if (added.ok && added.value.started !== null) await this.receipts.addRun(key, added.value.started);
      return added;
    };
    return this.receipts.once({ key, body, act, repeat: (receipt) => this.repeat(receipt) });
  }

  private async repeat({ queue_id, run_id, title }: Receipt): Promise<Outcome<QueueResult>> {
    const told = { accepted: true, queue_id: queue_id ?? "" };
    if (run_id === null) return succeeded({ ...told, status: "queued", started: null });
    const started = await tellStart(this.journal, run_id, title);
    return started.ok ? succeeded({ ...told, status: "started", started: started.value }) : started;
  }
}
