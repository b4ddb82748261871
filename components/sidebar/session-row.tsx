import { CircleQuestionMark, Hand, TriangleAlert } from "lucide-react";
import { type FocusEvent, memo, type MouseEvent, type ReactNode, useId } from "react";
import type { SessionSummary } from "#protocol/session-shapes";
import { Icon } from "../look/icon";
import { Ring } from "../look/ring";
import { useNow } from "../look/use-now";
import { clockWords, shortDateWords } from "../words/time-words";
import { sessionMoment } from "./session-groups";
import { SessionMenu, type SessionMenuActions } from "./session-menu";
import { rowDescription, rowFact, type RowMark, rowMark, waits } from "./session-state";

interface SessionRowProps {
  readonly session: SessionSummary;
  readonly current: boolean;
  readonly href: string;
  readonly onOpen: (sessionId: string) => void;
  readonly actions: SessionMenuActions;
}

const MARKS: Readonly<Record<RowMark, ReactNode>> = {
  none: null,
  running: <Ring />,
  approval: <Icon of={Hand} size={14} className="text-attend-mark" />,
  question: <Icon of={CircleQuestionMark} size={14} className="text-attend-mark" />,
  unread: <i className="block size-[7px] rounded-full bg-accent" />,
  failed: <Icon of={TriangleAlert} size={14} className="text-bad" />,
};

/** One session. The link is named by its title alone; its state is its description. */
export const SessionRow = memo(function SessionRow({ session, current, href, onOpen, actions }: SessionRowProps) {
  const descriptionId = useId();
  const titleId = useId();
  const mark = shownMark(rowMark(session), current);
  const waiting = waits[mark];
  const weight = mark === "unread" || current ? "font-medium" : "";
  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(session.session_id);
  };
  return (
    <li className="group/row relative">
      <a
        href={href}
        title={session.title}
        aria-current={current ? "page" : undefined}
        aria-describedby={descriptionId}
        onClick={open}
        onFocus={tellCut}
        className={`flex h-8 items-center gap-x-2 rounded-lg px-2 text-14 outline-offset-[-2px] group-hover/row:bg-fill group-has-[[data-state=open]]/row:bg-fill touch:h-14 touch:pr-11 phone:flex-wrap phone:content-center phone:text-16 ${current ? "bg-fill" : ""}`}
      >
        <span aria-hidden="true" className="grid w-4 flex-none place-items-center">
          {MARKS[mark]}
        </span>
        <span id={titleId} className={`min-w-0 flex-1 truncate ${weight} phone:leading-[1.375rem]`}>{session.title}</span>
        <RowMoment session={session} mark={mark} />
        <span
          aria-hidden="true"
          data-fact={rowFact(session)}
          className={`hidden w-full truncate pl-6 text-13 leading-[1.125rem] after:content-[attr(data-fact)] phone:block ${waiting ? "text-attend" : "text-muted"}`}
        />
      </a>
      <span id={descriptionId} hidden>
        {rowDescription(session)}
      </span>
      <span
        aria-hidden="true"
        data-full={session.title}
        className="pointer-events-none absolute inset-x-0 top-full z-10 mt-1 hidden rounded-lg bg-raised py-1.5 pr-2 pl-8 text-14 [overflow-wrap:anywhere] shadow-[inset_0_0_0_1px_var(--hair),var(--lift)] group-has-[a[data-cut]:focus-visible]/row:block after:content-[attr(data-full)]"
      />
      <SessionMenu
        session={session}
        actions={actions}
        describedBy={titleId}
        className="absolute top-1 right-1 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 data-[state=open]:opacity-100 touch:top-1.5 touch:right-0 touch:text-faint touch:opacity-100"
      />
    </li>
  );
});

/** A title that did not fit is shown whole below its row while the keyboard is there. */
function tellCut(event: FocusEvent<HTMLAnchorElement>): void {
  const link = event.currentTarget;
  const title = link.querySelector(".truncate");
  link.toggleAttribute("data-cut", title !== null && title.scrollWidth > title.clientWidth);
}

/** What is on the screen is neither new nor unseen. */
function shownMark(mark: RowMark, current: boolean): RowMark {
  return current && (mark === "unread" || mark === "failed") ? "none" : mark;
}

const AT = "flex-none text-12 tabular group-hover/row:mr-5 group-focus-within/row:mr-5 touch:mr-0! touch:self-center";

/** Elapsed while it runs, "waiting" while it waits, else when it last said something (on hover). */
function RowMoment({ session, mark }: { readonly session: SessionSummary; readonly mark: RowMark }) {
  const counting = mark === "running" && session.active_started_at !== null;
  const now = useNow(true, counting ? 1 : 60);
  if (waits[mark]) {
    return (
      <span aria-hidden="true" className={`${AT} font-medium text-attend`}>
        waiting
      </span>
    );
  }
  if (counting) {
    return (
      <span aria-hidden="true" className={`${AT} text-muted`} suppressHydrationWarning>
        {clockWords(now - (session.active_started_at ?? now))}
      </span>
    );
  }
  return (
    <span aria-hidden="true" className={`${AT} hidden text-faint group-hover/row:block group-focus-within/row:block phone:block`} suppressHydrationWarning>
      {shortDateWords(sessionMoment(session), now)}
    </span>
  );
}
