/**
 * One file on its way to the server, with progress: the browser tells it for XMLHttpRequest only.
 * Ends in a value like every request, also when it is given up or nothing moves any more.
 */
import type { Attachment } from "#protocol/event-values";
import { uploadSchema } from "./answers";
import type { ApiResult } from "./api-result";
import { clientFailure, parseAnswer } from "./http-client";

export interface UploadOptions {
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** The part of XMLHttpRequest that an upload needs. */
export type UploadRequest = Pick<
  XMLHttpRequest,
  "open" | "send" | "abort" | "timeout" | "status" | "responseText" | "onload" | "onerror" | "onabort" | "ontimeout"
> & { readonly upload: Pick<XMLHttpRequestUpload, "onprogress"> };
export type CreateUploadRequest = () => UploadRequest;

export interface UploadInput extends UploadOptions {
  readonly url: string;
  readonly sessionId: string;
  readonly file: File;
  readonly createRequest: CreateUploadRequest;
}

const UPLOAD_TIMEOUT_MS = 10 * 60_000;

export function uploadAttachment(input: UploadInput): Promise<ApiResult<Attachment>> {
  const { signal } = input;
  if (signal.aborted) return Promise.resolve(clientFailure("aborted"));
  const form = new FormData();
  form.set("session_id", input.sessionId);
  form.set("file", input.file);
  return new Promise((resolve) => {
    const request = input.createRequest();
    const giveUp = () => request.abort();
    const settle = (result: ApiResult<Attachment>) => {
      signal.removeEventListener("abort", giveUp);
      resolve(result);
    };
    request.open("POST", input.url);
    request.timeout = UPLOAD_TIMEOUT_MS;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) input.onProgress(event.loaded / event.total);
    };
    request.onload = () => settle(parseAnswer(request.status, request.responseText, uploadSchema));
    request.onerror = () => settle(clientFailure("unreachable"));
    request.ontimeout = () => settle(clientFailure("timed_out"));
    request.onabort = () => settle(clientFailure("aborted"));
    signal.addEventListener("abort", giveUp);
    request.send(form);
  });
}
