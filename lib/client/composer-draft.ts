/**
 * What of a composer survives a reload: text, attachments, and a message that was being sent when
 * the page went away. Kept by session in the browser; a border, for an older page may have written it.
 */
import { z } from "zod";
import { attachmentSchema } from "#protocol/event-values";
import type { KeepPort } from "./browser";

export const SEND_MODES = ["start", "queue", "steer", "interrupt", "command"] as const;
export type SendMode = (typeof SEND_MODES)[number];

/** Fields of a start besides message and attachments: what the person chose for this message. */
const choicesSchema = z.object({
  workspace: z.string().optional(),
  profile: z.string().optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
  toolsets: z.array(z.string()).optional(),
  continues: z.string().optional(),
});
export type SendChoices = z.infer<typeof choicesSchema>;

const sendingSchema = z.object({
  /** The message's idempotency key. */
  key: z.string(),
  mode: z.enum(SEND_MODES),
  text: z.string(),
  attachments: z.array(attachmentSchema),
  choices: choicesSchema,
  /** Milliseconds of the wall clock. */
  started_at: z.number(),
});
export type Sending = z.infer<typeof sendingSchema>;

const draftSchema = z.object({ text: z.string(), attachments: z.array(attachmentSchema), sending: sendingSchema.nullable() });
export type Draft = z.infer<typeof draftSchema>;

export const EMPTY_DRAFT: Draft = { text: "", attachments: [], sending: null };

export class DraftBox {
  readonly #keep: KeepPort;
  readonly #prefix: string;

  constructor(keep: KeepPort, basePath: string) {
    this.#keep = keep;
    this.#prefix = `hermes-draft:${basePath}:`;
  }

  read(composer: string): Draft {
    const text = this.#keep.read(this.#prefix + composer);
    if (text === null) return EMPTY_DRAFT;
    const parsed = z.string().transform(parseJson).pipe(draftSchema).safeParse(text);
    return parsed.success ? parsed.data : EMPTY_DRAFT;
  }

  write(composer: string, draft: Draft): void {
    const isEmpty = draft.text === "" && draft.attachments.length === 0 && draft.sending === null;
    if (isEmpty) this.#keep.remove(this.#prefix + composer);
    else this.#keep.write(this.#prefix + composer, JSON.stringify(draft));
  }

  composers(): readonly string[] {
    return this.#keep.keys().flatMap((key) => (key.startsWith(this.#prefix) ? [key.slice(this.#prefix.length)] : []));
  }
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // Not ours or cut off: the schema refuses it, and the draft is empty.
    return undefined;
  }
}
