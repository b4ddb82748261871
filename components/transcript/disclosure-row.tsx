import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "../look/icon";

interface DisclosureRowProps {
  readonly icon: ReactNode;
  readonly label: ReactNode;
  readonly fact: ReactNode;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Names the group; the full text is shown on hover. */
  readonly name?: string;
  readonly children: ReactNode;
}

/** One quiet line that opens: 28 px, 44 on phones. Without a name it is no group of its own. */
export function DisclosureRow({ icon, label, fact, open, onToggle, name, children }: DisclosureRowProps) {
  return (
    <div {...(name === undefined ? {} : { role: "group", "aria-label": name })}>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        title={name}
        className="relative flex min-h-7 w-full items-center gap-2 rounded-md py-0.5 text-left text-14 leading-6 text-muted transition-colors duration-[120ms] hover:text-ink phone:min-h-11 phone:py-2.5 phone:pl-[1.625rem]"
      >
        <span className="gutter top-1.5 text-faint phone:top-3.5 phone:left-0">{icon}</span>
        <span className="min-w-0 truncate">{label}</span>
        {fact === null ? null : <span className="ml-auto flex-none pl-3 text-13 leading-6 text-faint tabular phone:pl-2">{fact}</span>}
        <span
          className={`absolute top-[7px] right-[calc(-1*var(--hang))] text-faint transition-transform duration-[120ms] phone:static phone:-mr-1 ${fact === null ? "phone:ml-auto" : ""} ${open ? "rotate-90" : ""}`}
        >
          <Icon of={ChevronRight} size={14} />
        </span>
      </button>
      {open ? children : null}
    </div>
  );
}
