/**
 * The journal keeps at most 200,000 characters of a call's live output; what comes after is only
 * counted. The bound holds for every tool, so it stands here and not in each of them.
 */
import type { ToolUpdate } from "./tools/tool-port";
import type { RunContext } from "./run-context";

export const UPDATE_LIMIT_CHARACTERS = 200_000;

export function createUpdateLimiter(context: RunContext, toolCallId: string): { readonly update: (piece: ToolUpdate) => void } {
  let left = UPDATE_LIMIT_CHARACTERS;
  const take = (text: string | undefined): string | undefined => {
    if (text === undefined || text === "" || left === 0) return undefined;
    const kept = text.slice(0, left);
    left -= kept.length;
    return kept;
  };
  return {
    update: (piece) => {
      const stdout = take(piece.stdout);
      const stderr = take(piece.stderr);
      const data = piece.data !== undefined && JSON.stringify(piece.data).length <= left ? piece.data : undefined;
      if (data !== undefined) left -= JSON.stringify(data).length;
      if (stdout === undefined && stderr === undefined && data === undefined && piece.progress === undefined) return;
      context.emit({
        type: "tool.updated",
        payload: {
          tool_call_id: toolCallId,
          ...(stdout === undefined ? {} : { stdout }),
          ...(stderr === undefined ? {} : { stderr }),
          ...(data === undefined ? {} : { data }),
          ...(piece.progress === undefined ? {} : { progress: piece.progress }),
        },
      });
    },
  };
}
