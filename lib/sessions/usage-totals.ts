/** What runs cost: totals, by day and by model, over the sessions that are there. Unknown stays null. */
import { z } from "zod";
import type { SessionsRoom } from "./sessions-room";

const tokens = { runs: z.number(), input_tokens: z.number().nullable(), output_tokens: z.number().nullable(), cost_usd: z.number().nullable() };
const totalSchema = z.object(tokens);
const daySchema = z.object({ day: z.string(), ...tokens });
const modelSchema = z.object({ provider: z.string().nullable(), model: z.string().nullable(), ...tokens });

export interface UsageTotals {
  readonly total: z.infer<typeof totalSchema>;
  /** `YYYY-MM-DD` in UTC, newest first. */
  readonly days: readonly z.infer<typeof daySchema>[];
  readonly models: readonly z.infer<typeof modelSchema>[];
}

const SUMS = "COUNT(*) AS runs, SUM(input_tokens) AS input_tokens, SUM(output_tokens) AS output_tokens, SUM(cost_usd) AS cost_usd";

export async function usageTotals(room: Pick<SessionsRoom, "database" | "now">, days: number): Promise<UsageTotals> {
  const args = [room.now() - days * 86_400];
  const [total, byDay, byModel] = await room.database.read([
    { sql: `SELECT ${SUMS} FROM runs WHERE started_at > ?`, args },
    { sql: `SELECT date(started_at, 'unixepoch') AS day, ${SUMS} FROM runs WHERE started_at > ? GROUP BY day ORDER BY day DESC`, args },
    {
      sql: `SELECT json_extract(request, '$.provider') AS provider, json_extract(request, '$.model') AS model, ${SUMS}
            FROM runs WHERE started_at > ? GROUP BY provider, model ORDER BY runs DESC LIMIT 100`,
      args,
    },
  ]);
  return {
    total: totalSchema.parse(total?.rows[0]),
    days: (byDay?.rows ?? []).map((row) => daySchema.parse(row)),
    models: (byModel?.rows ?? []).map((row) => modelSchema.parse(row)),
  };
}
