import { X } from "lucide-react";
import type { ApiFailure } from "#client/api-result";
import { useConnection } from "#client/use-connection";
import { IconButton } from "../look/icon-button";

/** Why a message did not go out. Its words and files are back in the composer. */
export function SendProblem({ failure }: { readonly failure: ApiFailure | null }) {
  const connection = useConnection();
  return (
    <p role="alert" className={`px-[var(--hang)] text-14 text-bad ${failure === null ? "" : "mb-2"}`}>
      {failure === null ? null : `${reasonOf(failure, connection.kind === "live")} Your message is kept.`}
    </p>
  );
}

/** What was true when it was sent is told as past once it is over. */
function reasonOf(failure: ApiFailure, isLive: boolean): string {
  return failure.code === "unreachable" && isLive ? "It was not sent, the server was away." : failure.message;
}

interface CommandReplyProps {
  /** What a command said; null when there is nothing to say. */
  readonly text: string | null;
  readonly onClose: () => void;
}

/** A command's answer, above the composer until it is closed or the next message goes out. */
export function CommandReply({ text, onClose }: CommandReplyProps) {
  if (text === null || text === "") return null;
  return (
    <div role="status" data-edge="" className="mb-2 flex items-start gap-2 rounded-xl bg-fill py-1.5 pr-1.5 pl-[var(--hang)]">
      <p className="max-h-48 min-w-0 flex-1 overflow-y-auto py-1 text-14 whitespace-pre-wrap thin-scroll [overflow-wrap:anywhere]">{text}</p>
      <IconButton size={28} iconSize={14} label="Close" icon={X} onClick={onClose} />
    </div>
  );
}

interface UnderLineProps {
  readonly left: string;
  readonly right: string;
}

/** The one line under the composer: what Send does, and how full the conversation is. */
export function UnderLine({ left, right }: UnderLineProps) {
  return (
    <div className="mt-1 flex h-6 items-center gap-4 px-[var(--hang)] text-12 text-faint tabular phone:mt-0 low:hidden">
      <span className="min-w-0 flex-1 truncate">{left}</span>
      <span className="flex-none phone:hidden">{right}</span>
    </div>
  );
}

/** The composer's place: on the outer axis, at the foot of the conversation. */
export const DOCK = "mx-auto w-full max-w-[min(calc(var(--measure)+2*var(--hang)),calc(100%-2rem))] flex-none pb-3 phone:max-w-none phone:px-2 phone:pb-1";
