import { ChevronDown, Ellipsis, PanelLeft, PanelRight, Search } from "lucide-react";
import type { ReactNode } from "react";
import { SessionsMenuIcon } from "../look/drawn-icons";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import { Menu, MenuChoices } from "../look/menu";
import { ProjectSquare } from "../sidebar/project-square";
import type { ViewMode } from "../transcript/transcript-rows";

interface SessionHeaderProps {
  readonly title: string;
  readonly project: { readonly name: string; readonly color: string | null } | null;
  readonly view: ViewMode;
  readonly onView: (view: ViewMode) => void;
  /** Null where there is nothing to find or to view yet. */
  readonly onFind: (() => void) | null;
  readonly onSessions: () => void;
  /** The sidebar is no column now, whatever the width. */
  readonly sideHidden: boolean;
  readonly panelHidden: boolean;
  readonly onPanel: (() => void) | null;
  /** Other sessions that wait for the person. */
  readonly waiting: number;
  /** The entries of the menu More; null leaves it out. */
  readonly more: ReactNode;
}

export const VIEW_LABEL: Readonly<Record<ViewMode, string>> = { detailed: "Detailed", compact: "Compact", answer: "Answer only" };
const VIEWS = ["detailed", "compact", "answer"] as const satisfies readonly ViewMode[];

export function SessionHeader(props: SessionHeaderProps) {
  const { title, project, view, onView, onFind, onPanel } = props;
  return (
    <header data-region="" tabIndex={-1} className="flex h-13 flex-none items-center gap-0.5 pr-3 pl-5 outline-none phone:gap-1 phone:px-2 low:h-11">
      <SessionsButton hidden={props.sideHidden} waiting={props.waiting} onClick={props.onSessions} />
      <div className="flex min-w-0 flex-1 items-center gap-2">
        {project === null ? null : (
          <span className="contents text-muted phone:hidden">
            <span className="inline-flex flex-none items-center gap-[7px] text-muted phone:hidden">
              <ProjectSquare color={project.color} />
              {project.name}
            </span>
            <span aria-hidden="true" className="text-faint phone:hidden">
              /
            </span>
          </span>
        )}
        {title === "" ? null : (
          <h1 title={title} className="truncate text-14 font-semibold tracking-[-0.005em]">
            {title}
          </h1>
        )}
      </div>
      {onFind === null ? null : (
        <>
          <Menu
            align="end"
            trigger={
              <button type="button" className="mr-0.5 inline-flex h-8 items-center gap-1.5 rounded-lg px-2 text-13 text-muted hover:bg-fill data-[state=open]:bg-fill phone:hidden">
                {VIEW_LABEL[view]}
                <Icon of={ChevronDown} size={14} className="text-faint" />
              </button>
            }
          >
            <MenuChoices value={view} choices={VIEWS.map((value) => ({ value, label: VIEW_LABEL[value] }))} onChoose={onView} />
          </Menu>
          <IconButton label="Find in this session" icon={Search} onClick={onFind} className="phone:hidden" />
        </>
      )}
      {props.more === null ? null : (
        <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
          {props.more}
        </Menu>
      )}
      {onPanel === null ? null : (
        <IconButton label="Show the panel" icon={PanelRight} onClick={onPanel} className={props.panelHidden ? "" : "wide:hidden"} />
      )}
    </header>
  );
}

interface SessionsButtonProps {
  readonly hidden: boolean;
  readonly waiting: number;
  readonly onClick: () => void;
}

/** Where the sessions are no column; a dot says that another one waits. */
function SessionsButton({ hidden, waiting, onClick }: SessionsButtonProps) {
  const others = waiting === 0 ? "" : waiting === 1 ? ", one other waits for you" : `, ${waiting} others wait for you`;
  const dot = "after:absolute after:top-[7px] after:right-1.5 after:size-2 after:rounded-full after:bg-attend-mark after:shadow-[0_0_0_2px_var(--paper)] touch:after:top-2.5 touch:after:right-[9px]";
  return (
    <IconButton label={`Show sessions${others}`} onClick={onClick} className={`relative -ml-2 phone:ml-0 ${hidden ? "" : "mid:hidden"} ${waiting === 0 ? "" : dot}`}>
      <SessionsMenuIcon className="hidden phone:block" />
      <span className="contents phone:hidden">
        <Icon of={PanelLeft} className="phone:hidden" />
      </span>
    </IconButton>
  );
}
