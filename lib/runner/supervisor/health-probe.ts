import { z } from "zod";

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

/** A health answer is small; more than this is not one. */
const MAX_HEALTH_CHARACTERS = 256 * 1024;

/** Asks a health route once; whatever is not a health answer within the time is a reason, never an exception. */
export async function probeHealth(url: string, timeoutMs: number, headers: Readonly<Record<string, string>> = {}): Promise<ProbeResult> {
  try {
    const response = await fetch(url, { headers, redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (!response.ok) return { answered: false, reason: `status ${response.status}` };
    if (text.length > MAX_HEALTH_CHARACTERS) return { answered: false, reason: "an answer of unlikely size" };
    const health = HealthSchema.safeParse(JSON.parse(text));
    return health.success ? { answered: true, health: health.data } : { answered: false, reason: "an answer of another shape" };
  } catch (error) {
    return { answered: false, reason: error instanceof SyntaxError ? "an answer that is no JSON" : "no answer" };
  }
}
