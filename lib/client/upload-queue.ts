/** Files on their way into composers: each with its progress, its failure, and a way to give it up or try it again. */
import type { Attachment } from "#protocol/event-values";
import type { ApiFailure } from "./api-result";
import type { FileApi } from "./file-api";

export interface Upload {
  readonly upload_id: string;
  readonly name: string;
  readonly size: number;
  /** 0 to 1. */
  readonly share: number;
  /** Null while it is on its way. */
  readonly failure: ApiFailure | null;
}

export interface UploadQueueOptions {
  readonly upload: FileApi["upload"];
  readonly createKey: () => string;
  readonly onChange: (sessionId: string, uploads: readonly Upload[]) => void;
  readonly onDone: (sessionId: string, attachment: Attachment) => void;
}

interface Running {
  readonly file: File;
  readonly shown: Upload;
  readonly stop: AbortController;
}

export class UploadQueue {
  readonly #options: UploadQueueOptions;
  readonly #running = new Map<string, Map<string, Running>>();

  constructor(options: UploadQueueOptions) {
    this.#options = options;
  }

  add(sessionId: string, file: File): void {
    void this.#run(sessionId, this.#options.createKey(), file);
  }

  cancel(sessionId: string, uploadId: string): void {
    this.#running.get(sessionId)?.get(uploadId)?.stop.abort();
    this.#remove(sessionId, uploadId);
  }

  retry(sessionId: string, uploadId: string): void {
    const failed = this.#running.get(sessionId)?.get(uploadId);
    if (failed !== undefined && failed.shown.failure !== null) void this.#run(sessionId, uploadId, failed.file);
  }

  close(): void {
    for (const uploads of this.#running.values()) for (const { stop } of uploads.values()) stop.abort();
    this.#running.clear();
  }

  async #run(sessionId: string, uploadId: string, file: File): Promise<void> {
    const stop = new AbortController();
    const shown: Upload = { upload_id: uploadId, name: file.name, size: file.size, share: 0, failure: null };
    this.#put(sessionId, { file, stop, shown });
    const answer = await this.#options.upload(sessionId, file, {
      signal: stop.signal,
      onProgress: (share) => {
        if (!stop.signal.aborted) this.#put(sessionId, { file, stop, shown: { ...shown, share } });
      },
    });
    if (stop.signal.aborted) return;
    if (answer.ok) {
      this.#remove(sessionId, uploadId);
      this.#options.onDone(sessionId, answer.value);
    } else {
      this.#put(sessionId, { file, stop, shown: { ...shown, failure: answer } });
    }
  }

  #put(sessionId: string, upload: Running): void {
    const uploads = this.#running.get(sessionId) ?? new Map<string, Running>();
    uploads.set(upload.shown.upload_id, upload);
    this.#running.set(sessionId, uploads);
    this.#tell(sessionId);
  }

  #remove(sessionId: string, uploadId: string): void {
    this.#running.get(sessionId)?.delete(uploadId);
    this.#tell(sessionId);
  }

  #tell(sessionId: string): void {
    const uploads = this.#running.get(sessionId)?.values() ?? [];
    this.#options.onChange(sessionId, [...uploads].map((upload) => upload.shown));
  }
}
