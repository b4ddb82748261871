/** Shapes that several routes take. Ids are any text here: one that cannot be is answered as unknown, not as wrong. */
import { z } from "zod";

export const idParams = z.object({ id: z.string() });
export const nameParams = z.object({ name: z.string() });
export const ofSession = z.object({ session_id: z.string() });

/** A whole number in a query. */
export function countParam(lowest: number, highest: number) {
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, "a whole number")
    .transform(Number)
    .pipe(z.number().min(lowest).max(highest));
}

export const flagParam = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");

export const modelName = z.string().min(1).max(400);
export const providerName = z.string().min(1).max(200);
export const folderPath = z.string().min(1).max(4096);

/** `#rrggbb` or null. */
export const projectSchema = z.object({
  name: z.string().trim().min(1).max(200),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, "a colour such as #3366ff")
    .nullish(),
});

/** A path below the workspace; "" is the workspace itself. */
export const filePath = z.string().max(4096);
