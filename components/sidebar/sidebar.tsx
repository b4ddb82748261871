import { Hand, PanelLeft, Plus, Search, X } from "lucide-react";
import type { ReactNode } from "react";
import { SlidersIcon } from "../look/drawn-icons";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import { WordMark } from "../look/wing-mark";
import { SideButton } from "./side-button";

interface SidebarProps {
  /** Sessions that wait for the person. */
  readonly waiting: number;
  readonly onOpenWaiting: () => void;
  /** `column` can be hidden, `layer` lies over the page and can be closed. */
  readonly as: "column" | "layer";
  readonly onHide: () => void;
  readonly onNew: () => void;
  readonly onSearch: () => void;
  readonly onSettings: () => void;
  /** ⌘ or Ctrl. */
  readonly modifier: string;
  readonly list: ReactNode;
  readonly projects: ReactNode;
}

export function Sidebar(props: SidebarProps) {
  const { waiting, as, modifier } = props;
  return (
    <nav aria-label="Sessions" data-region="" tabIndex={-1} className="flex h-full min-h-0 flex-col bg-side outline-none">
      <div className="flex h-13 flex-none items-center gap-2 pr-2.5 pl-4 phone:h-15 phone:pr-2 phone:pl-5">
        <WordMark />
        <WaitingPill count={waiting} onOpen={props.onOpenWaiting} />
        <IconButton
          label={as === "column" ? "Hide sessions" : "Close sessions"}
          icon={as === "column" ? PanelLeft : X}
          onClick={props.onHide}
          className={waiting === 0 ? "ml-auto" : ""}
        />
      </div>
      <div className="px-2 phone:px-3">
        <SideButton icon={Plus} label="New session" onClick={props.onNew} />
        <SideButton icon={Search} label="Search" keys={`${modifier}K`} onClick={props.onSearch} />
      </div>
      {props.list}
      <div className="flex h-13 flex-none items-center gap-1 p-2 phone:h-15 phone:px-3">
        {props.projects}
        <IconButton label="Settings" onClick={props.onSettings}>
          <SlidersIcon />
        </IconButton>
      </div>
    </nav>
  );
}

/** Absent at zero; opens the one that has waited longest. */
function WaitingPill({ count, onOpen }: { readonly count: number; readonly onOpen: () => void }) {
  if (count === 0) return null;
  return (
    <button
      type="button"
      title="Open the session that has waited longest"
      onClick={onOpen}
      className="ml-auto inline-flex h-6 items-center gap-[5px] rounded-full bg-attend-card pr-[9px] pl-[7px] text-12 font-medium text-attend tabular phone:h-7 phone:pr-[11px] phone:pl-[9px] phone:text-13 relative touch:after:absolute touch:after:-inset-x-1 touch:after:-inset-y-2.5"
    >
      <Icon of={Hand} size={14} className="text-attend-mark" />
      {count} waiting
    </button>
  );
}
