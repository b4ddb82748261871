import type { ReactNode } from "react";

interface GutterLineProps {
  readonly icon: ReactNode;
  readonly children: ReactNode;
  /** `trace` is as high as a tool row, `note` has air around it. */
  readonly height?: "trace" | "note";
  readonly className?: string;
}

const HEIGHT: Readonly<Record<"trace" | "note", { readonly line: string; readonly icon: string }>> = {
  trace: { line: "py-0.5", icon: "top-1.5" },
  note: { line: "py-1", icon: "top-2" },
};

/** A line of the second voice on the text axis, its mark in the gutter (on phones inside the axis). */
export function GutterLine({ icon, children, height = "trace", className = "" }: GutterLineProps) {
  return (
    <div className={`relative text-14 leading-6 text-muted phone:pl-[1.625rem] ${HEIGHT[height].line} ${className}`}>
      <span className={`gutter text-faint phone:left-0 ${HEIGHT[height].icon}`}>{icon}</span>
      {children}
    </div>
  );
}
