/** What waits in a session's queue, as the page and the API show it. */
import type { InStatement } from "@libsql/client";
import { z } from "zod";
import { attachmentSchema, type QueueItem } from "#protocol/event-values";
import { jsonColumn } from "./json-column";
import type { SessionsRoom } from "./sessions-room";

const rowSchema = z.object({
  queue_id: z.string(),
  mode: z.enum(["queue", "steer", "interrupt"]),
  message: z.string(),
  attachments: jsonColumn(z.array(attachmentSchema)),
  created_at: z.number(),
  held: z.string().nullable(),
});

export function selectQueue(sessionId: string): InStatement {
  return {
    sql: `SELECT q.queue_id, q.mode, q.message, q.attachments, q.created_at, s.queue_held AS held
          FROM queue_items q JOIN sessions s ON s.session_id = q.session_id WHERE q.session_id = ? ORDER BY q.rank, q.queue_id`,
    args: [sessionId],
  };
}

export function parseQueueItem(row: unknown): QueueItem {
  const { message, held, ...item } = rowSchema.parse(row);
  return { ...item, text: message, held: held !== null };
}

export async function listQueue(room: Pick<SessionsRoom, "database">, sessionId: string): Promise<readonly QueueItem[]> {
  const [found] = await room.database.read([selectQueue(sessionId)]);
  return (found?.rows ?? []).map(parseQueueItem);
}
