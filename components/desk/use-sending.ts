/** What goes out of a session's composer: messages by the way that is chosen, commands, files. */
import { useState } from "react";
import type { SendMode } from "#client/composer-draft";
import { useClient } from "#client/context";
import type { CommandChoice } from "../composer/command-menu";
import type { DroppedFiles } from "../composer/dropped-files";
import { useDesk } from "./desk-context";
import type { Composing } from "./use-composing";

interface SendingPlan {
  readonly sessionId: string;
  readonly composing: Composing;
  /** How words go out now; a command goes as such whatever stands here. */
  readonly mode: SendMode;
  readonly onStarted: () => void;
}

export interface SessionSending {
  /** What the last command said. */
  readonly reply: string | null;
  readonly closeReply: () => void;
  readonly send: () => void;
  readonly addFiles: (files: Promise<DroppedFiles>) => void;
  readonly choose: (command: CommandChoice) => void;
}

export function useSending({ sessionId, composing, mode, onStarted }: SendingPlan): SessionSending {
  const { composers } = useClient();
  const { go, tell } = useDesk();
  const [reply, setReply] = useState<string | null>(null);
  const send = async (as: SendMode): Promise<void> => {
    setReply(null);
    const answer = await composers.send(sessionId, as);
    if (answer === null || !answer.ok) return;
    if (as === "start") onStarted();
    setReply(answer.value.message);
    if (answer.value.session_id !== sessionId) go({ kind: "session", sessionId: answer.value.session_id, runId: null });
  };
  const addFiles = async (files: Promise<DroppedFiles>): Promise<void> => {
    const dropped = await files;
    if (dropped.left) tell({ text: `Only the first ${dropped.files.length} files are taken.` });
    await composers.addFiles(sessionId, dropped.files);
  };
  return {
    reply,
    closeReply: () => setReply(null),
    send: () => void send(composing.isCommand ? "command" : mode),
    addFiles: (files) => void addFiles(files),
    choose: (command) => {
      const whole = command.usage === "" || composing.composer.text.trim() === `/${command.name}`;
      composing.setText(`/${command.name}${whole ? "" : " "}`);
      if (whole) void send("command");
    },
  };
}
