/**
 * A composer for one session, or for one that is not made yet: what it holds, which commands its text
 * may mean, and whether it can be sent. Words, files and keys themselves are the client's.
 */
import type { Command } from "#client/answers";
import type { Composer } from "#client/composer-store";
import { useClient } from "#client/context";
import { useComposer } from "#client/use-composer";
import type { AttachmentTile } from "../composer/attachment-tiles";
import type { CommandChoice } from "../composer/command-menu";
import { readSlash } from "../composer/composer-words";

export interface Composing {
  readonly composer: Composer;
  readonly tiles: readonly AttachmentTile[];
  readonly commands: readonly CommandChoice[];
  /** The text is a command, or would be one if there were one of its name: the model never gets it. */
  readonly isCommand: boolean;
  readonly ready: boolean;
  readonly setText: (text: string) => void;
  readonly removeFile: (key: string) => void;
  readonly retryFile: (key: string) => void;
}

export function useComposing(composerId: string, commands: readonly Command[]): Composing {
  const { composers } = useClient();
  const composer = useComposer(composerId);
  const slash = readSlash(composer.text, commands);
  const hasWords = composer.text.trim() !== "" || composer.attachments.length > 0;
  const isLoading = composer.uploads.some((upload) => upload.failure === null);
  return {
    composer,
    tiles: tilesOf(composer),
    commands: slash.kind === "choosing" ? slash.matches.map(choiceOf) : [],
    isCommand: slash.kind !== "text",
    ready: hasWords && !isLoading && composer.sending === null,
    setText: (text) => composers.setText(composerId, text),
    removeFile: (key) => {
      composers.removeAttachment(composerId, key);
      composers.cancelUpload(composerId, key);
    },
    retryFile: (key) => composers.retryUpload(composerId, key),
  };
}

function tilesOf(composer: Composer): readonly AttachmentTile[] {
  const ready = composer.attachments.map((attachment): AttachmentTile => ({
    key: attachment.attachment_id,
    name: attachment.name,
    size: attachment.size,
    isImage: attachment.is_image,
    state: { kind: "ready" },
  }));
  const loading = composer.uploads.map((upload): AttachmentTile => ({
    key: upload.upload_id,
    name: upload.name,
    size: upload.size,
    isImage: false,
    state: upload.failure === null ? { kind: "loading", share: upload.share } : { kind: "failed", message: upload.failure.message },
  }));
  return [...ready, ...loading];
}

function choiceOf(command: Command): CommandChoice {
  return {
    name: command.name,
    description: command.description,
    usage: typeof command.args === "string" ? command.args : "",
    available: command.available,
    reason: command.reason ?? null,
  };
}
