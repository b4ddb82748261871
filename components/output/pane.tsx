import type { ReactNode } from "react";

interface PaneProps {
  /** What is shown, for those who hear it: "Output of npm test". */
  readonly label: string;
  /** Diffs run edge to edge and bring their own inset. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A figure and no region: many calls on one page may bear the same name. The sunk box of an opened trace, on the outer axis. It scrolls sideways; on phones it wraps. */
export function Pane({ label, flush = false, children }: PaneProps) {
  return (
    <div className="hang mt-0.5 mb-2.5 overflow-hidden rounded-xl bg-sunk py-3" data-edge="">
      <div
        role="figure"
        aria-label={label}
        tabIndex={0}
        className={`overflow-x-auto text-code thin-scroll mono ${flush ? "-mx-[var(--hang)]" : ""} phone:[overflow-wrap:anywhere]`}
      >
        {children}
      </div>
    </div>
  );
}

export function PaneNote({ children }: { readonly children: ReactNode }) {
  return <p className="pt-2 font-sans text-13 text-faint">{children}</p>;
}

interface PaneMoreProps {
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** "184 earlier lines": a line of the pane that opens the rest. */
export function PaneMore({ onClick, children }: PaneMoreProps) {
  return (
    <button type="button" onClick={onClick} className="block min-h-6 text-left text-faint underline-offset-2 hover:text-ink hover:underline touch:min-h-11">
      {children}
    </button>
  );
}
