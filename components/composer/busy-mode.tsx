import { ChevronDown } from "lucide-react";
import type { QueueMode } from "#protocol/event-values";
import { Icon } from "../look/icon";
import { Menu, MenuChoices } from "../look/menu";
import { MODE_LABEL } from "./composer-words";

interface BusyModeProps {
  readonly mode: QueueMode;
  /** Ways that the running turn takes words in; others are not drawn. */
  readonly offered: readonly QueueMode[];
  readonly onChange: (mode: QueueMode) => void;
}

const GROUP = "While the agent works";

/** What Send does while the agent works: one of three, as a segment. */
export function BusySegment({ mode, offered, onChange }: BusyModeProps) {
  return (
    <span role="radiogroup" aria-label={GROUP} className="mr-1.5 inline-flex rounded-[9px] bg-fill p-0.5 phone:hidden">
      {offered.map((choice) => (
        <label
          key={choice}
          className="relative h-7 rounded-[7px] px-2.5 text-13 leading-7 text-muted has-checked:bg-seg has-checked:font-medium has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--hair),0_1px_2px_oklch(0_0_0/.06)] has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
        >
          <input type="radio" name="busy-mode" checked={mode === choice} onChange={() => onChange(choice)} className="absolute inset-0 appearance-none outline-none" />
          {MODE_LABEL[choice]}
        </label>
      ))}
    </span>
  );
}

/** The same on phones: one chip with a menu. */
export function BusyChip({ mode, offered, onChange }: BusyModeProps) {
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" aria-label={`${GROUP}: ${MODE_LABEL[mode].toLowerCase()}`} className="hidden h-11 items-center gap-1.5 rounded-lg px-2 text-13 text-muted phone:inline-flex">
          {MODE_LABEL[mode]}
          <Icon of={ChevronDown} size={14} className="text-faint" />
        </button>
      }
    >
      <MenuChoices label={GROUP} value={mode} choices={offered.map((value) => ({ value, label: MODE_LABEL[value] }))} onChoose={onChange} />
    </Menu>
  );
}
