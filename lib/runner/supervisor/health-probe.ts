import { z } from "zod";
import { httpGet } from "./http-get";

const HealthSchema = z.looseObject({
  status: z.string(),
  version: z.string().optional(),
  pid: z.number().optional(),
  draining: z.boolean().optional(),
});
export type Health = z.infer<typeof HealthSchema>;

export type ProbeResult =
  | { readonly answered: true; readonly health: Health }
  | { readonly answered: false; readonly reason: string };

/** Asks a health route once; whatever is not a health answer within the time is a reason, never an exception. */
export async function probeHealth(url: string, timeoutMs: number): Promise<ProbeResult> {
  const answer = await httpGet(url, timeoutMs);
  if (answer === null) return { answered: false, reason: "no answer" };
  if (answer.status !== 200) return { answered: false, reason: `status ${answer.status}` };
  const health = HealthSchema.safeParse(parseJson(answer.text));
  return health.success ? { answered: true, health: health.data } : { answered: false, reason: "an answer of another shape" };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: no health answer.
    return null;
  }
}
