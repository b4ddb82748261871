/** One file of the workspace in the editor. */
import { useMemo } from "react";
import type { FilesAnswer } from "#client/answers";
import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import { type FoundText, type TextEditing, type TextSource, useTextEditor } from "./use-text-editor";

const IMAGE = /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/i;

export function useFileEditor(sessionId: string, path: string): TextEditing {
  const { api } = useClient();
  const source = useMemo(
    (): TextSource => ({
      read: async () => foundIn(path, await api.files.read(sessionId, path)),
      write: async (text, over) => {
        const answer = await api.files.write(sessionId, path, text, over);
        return answer.ok ? { ok: true, value: { mtime: answer.value.mtime ?? null } } : answer;
      },
    }),
    [api, sessionId, path],
  );
  return useTextEditor(source);
}

function foundIn(path: string, answer: ApiResult<FilesAnswer>): FoundText {
  if (!answer.ok) return { kind: "failed", message: answer.message };
  const { value } = answer;
  if (value.type !== "file") return { kind: "failed", message: "This is a folder now." };
  const foreign = foreignReason(value);
  if (foreign !== null) return { kind: "foreign", size: value.size, isImage: IMAGE.test(path), reason: foreign };
  return { kind: "text", text: value.content ?? "", mtime: value.mtime };
}

function foreignReason(file: Extract<FilesAnswer, { type: "file" }>): string | null {
  if (file.encoding !== "utf8" || file.content === null) return "This is not text.";
  return file.truncated ? "This is too long to be edited here." : null;
}
