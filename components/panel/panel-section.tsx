import type { ReactNode } from "react";

interface PanelSectionProps {
  readonly title: string;
  readonly fact?: ReactNode;
  readonly children: ReactNode;
}

export function PanelSection({ title, fact = null, children }: PanelSectionProps) {
  return (
    <section>
      <h2 className="mb-2 flex items-center text-12 font-medium text-faint">
        {title}
        <span className="ml-auto font-normal tabular">{fact}</span>
      </h2>
      {children}
    </section>
  );
}
