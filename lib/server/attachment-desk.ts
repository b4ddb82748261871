/** Attachments: bytes in the workspace room's keeping, rows in the database; the row is what makes one usable. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Database } from "#db/database";
import type { Attachment } from "#protocol/event-values";
import { parseId, type CreateId, type Id, type SessionId } from "#protocol/ids";
import { readSummary } from "#sessions/session-summary";
import { deleteSessionAttachments, findAttachment, storeAttachment } from "#workspace/attachments";
import { deleteCheckpoints } from "#workspace/checkpoint";
import { fileAnswer } from "./file-answer";
import { requireId, unknownId } from "./known-id";
import { invalidRequest } from "#http/parse-input";
import { UPLOAD_LIMIT } from "#http/request-body";

export interface AttachmentDeskPlan {
  readonly database: Database;
  readonly stateDirectory: string;
  readonly createId: CreateId;
  readonly now: () => number;
}

interface Incoming {
  readonly session_id: SessionId;
  readonly attachment_id: Id<"att">;
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export class AttachmentDesk {
  readonly #plan: AttachmentDeskPlan;

  constructor(plan: AttachmentDeskPlan) {
    this.#plan = plan;
  }

  /** Throws `session_not_found`, `invalid_request` (a form without a file), `too_large`. */
  async receive(form: FormData): Promise<Attachment> {
    const sessionId = form.get("session_id");
    const file = form.get("file");
    if (typeof sessionId !== "string") throw invalidRequest([{ path: "session_id", message: "is required" }]);
    if (file === null || typeof file === "string") throw invalidRequest([{ path: "file", message: "is required" }]);
    const session = requireId("ses", sessionId);
    await readSummary(this.#plan, session);
    return this.#keep({ session_id: session, attachment_id: this.#plan.createId("att"), name: file.name, bytes: piecesOf(file.stream()) });
  }

  /** Its bytes; throws `not_found`. */
  async answer(request: Request, id: string): Promise<Response> {
    const known = requireId("att", id);
    const { rows } = await this.#plan.database.execute({ sql: "SELECT 1 FROM attachments WHERE attachment_id = ?", args: [known] });
    const stored = rows.length === 0 ? null : await findAttachment(this.#plan.stateDirectory, known);
    if (stored === null) throw unknownId("att");
    const handle = await open(stored.path, "r");
    return fileAnswer(request, { handle, name: stored.name, mime: stored.mime, size: stored.size });
  }

  /** Copies one for another session; one that is gone is left out. */
  readonly copy = async (original: string, attachmentId: string, sessionId: string): Promise<void> => {
    const stored = await findAttachment(this.#plan.stateDirectory, original);
    const [id, session] = [parseId("att", attachmentId), parseId("ses", sessionId)];
    if (stored === null || id === null || session === null) return;
    await this.#keep({ session_id: session, attachment_id: id, name: stored.name, bytes: createReadStream(stored.path) });
  };

  /** What lies on disk for a session: its attachments, and what its runs kept of changed files. */
  async removeOfSession(sessionId: string): Promise<void> {
    const session = parseId("ses", sessionId);
    if (session === null) return;
    await deleteSessionAttachments(this.#plan.stateDirectory, session);
    await deleteCheckpoints(this.#plan.stateDirectory, session);
  }

  async #keep(incoming: Incoming): Promise<Attachment> {
    const stored = await storeAttachment({ ...incoming, state_dir: this.#plan.stateDirectory, limit: UPLOAD_LIMIT });
    const { attachment_id, session_id, name, mime, size, is_image } = stored;
    await this.#plan.database.execute({
      sql: "INSERT INTO attachments (attachment_id, session_id, name, mime, size, is_image, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      args: [attachment_id, session_id, name, mime, size, is_image ? 1 : 0, this.#plan.now()],
    });
    return { attachment_id, name, mime, size, is_image };
  }
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
