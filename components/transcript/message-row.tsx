import { File, GitBranch, Pencil } from "lucide-react";
import { memo, useState } from "react";
import type { UserMessage } from "#protocol/event-values";
import type { RunView } from "#protocol/run-view";
import { CopyButton } from "../look/copy-button";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import { countOf, sizeWords } from "../words/count-words";
import { hourWords } from "../words/time-words";
import { MessageEditor } from "./message-editor";
import type { TranscriptActions } from "./transcript-actions";

interface MessageRowProps {
  readonly run: RunView;
  readonly message: UserMessage;
  readonly editing: boolean;
  readonly busy: boolean;
  readonly actions: TranscriptActions;
  readonly onEndEdit: () => void;
}

const FOLDED_LINES = 12;
const LETTERS_OF_A_LINE = 80;

/** The person's words, exactly as they were written, on the outer axis. */
export const MessageRow = memo(function MessageRow({ run, message, editing, busy, actions, onEndEdit }: MessageRowProps) {
  if (editing) {
    return <MessageEditor text={message.text} onSend={(text) => actions.retry(run.run_id, text)} onEnd={onEndEdit} />;
  }
  return (
    <div className="group/message relative">
      <div className="hang rounded-xl bg-fill py-3 text-16" data-edge="" data-message="">
        <span className="float-right ml-4 text-12 leading-[1.625rem] text-faint tabular">{hourWords(run.started_at)}</span>
        <MessageText text={message.text} />
        <MessageAttachments message={message} attachmentUrl={actions.attachmentUrl} />
      </div>
      <div className="absolute top-full right-[calc(4px-var(--hang))] z-1 flex opacity-0 transition-opacity duration-[120ms] group-focus-within/message:opacity-100 group-hover/message:opacity-100 touch:hidden">
        {busy ? null : <IconButton size={24} iconSize={14} label="Edit" icon={Pencil} onClick={() => actions.edit(run.run_id)} />}
        <IconButton size={24} iconSize={14} label="Branch from here" icon={GitBranch} onClick={() => actions.branch(run.run_id)} />
        <CopyButton size={24} text={() => message.text} />
      </div>
    </div>
  );
});

function MessageText({ text }: { readonly text: string }) {
  const [all, setAll] = useState(false);
  const lines = text.split("\n");
  const drawnLines = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LETTERS_OF_A_LINE)), 0);
  const folded = drawnLines > FOLDED_LINES + 1;
  return (
    <>
      <p className={`max-w-[66ch] whitespace-pre-wrap [overflow-wrap:anywhere] ${folded && !all ? "line-clamp-12" : ""}`}>{text}</p>
      {folded ? (
        <button type="button" aria-expanded={all} onClick={() => setAll(!all)} className="mt-1 min-h-6 text-13 font-medium text-accent hover:underline touch:min-h-11">
          {all ? "Show less" : `Show all ${countOf(Math.max(lines.length, drawnLines), "line")}`}
        </button>
      ) : null}
    </>
  );
}

interface MessageAttachmentsProps {
  readonly message: UserMessage;
  readonly attachmentUrl: (attachmentId: string) => string;
}

function MessageAttachments({ message, attachmentUrl }: MessageAttachmentsProps) {
  if (message.attachments.length === 0) return null;
  return (
    <ul className="mt-2 -ml-2 flex flex-wrap gap-2 clear-right">
      {message.attachments.map((attachment) => (
        <li key={attachment.attachment_id}>
          <a
            href={attachmentUrl(attachment.attachment_id)}
            target="_blank"
            rel="noopener"
            title={attachment.name}
            className={attachment.is_image ? "block overflow-hidden rounded-lg" : "flex h-9 max-w-64 items-center gap-2 rounded-lg bg-raised px-2.5 text-13 touch:h-11"}
          >
            {attachment.is_image ? (
              <img src={attachmentUrl(attachment.attachment_id)} alt={attachment.name} loading="lazy" className="h-40 max-w-full rounded-lg bg-sunk object-contain" />
            ) : (
              <>
                <Icon of={File} size={14} className="text-faint" />
                <span className="truncate">{attachment.name}</span>
                <span className="flex-none text-12 text-faint tabular">{sizeWords(attachment.size)}</span>
              </>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
