/** The few marks that are drawn here because no icon set has them; same grid and stroke as lucide's. */
import type { ReactNode } from "react";

interface DrawnProps {
  readonly size?: number;
  readonly className?: string;
}

function Drawn({ size = 16, className = "", children }: DrawnProps & { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`flex-none ${className}`}
    >
      {children}
    </svg>
  );
}

export function WaveIcon(props: DrawnProps) {
  return (
    <Drawn {...props}>
      <path d="M3.5 12c2-5.5 5.5-5.5 8.5 0s6.5 5.5 8.5 0" />
    </Drawn>
  );
}

export function SessionsMenuIcon(props: DrawnProps) {
  return (
    <Drawn {...props}>
      <path d="M4 7.5h16M4 16.5h11" />
    </Drawn>
  );
}

export function SlidersIcon(props: DrawnProps) {
  return (
    <Drawn {...props}>
      <path d="M4 7.5h8.5M17.5 7.5H20M4 16.5h2.5M11.5 16.5H20" />
      <circle cx="15" cy="7.5" r="2.5" />
      <circle cx="9" cy="16.5" r="2.5" />
    </Drawn>
  );
}

/** A call that has not begun. */
export function OpenCircleIcon({ className = "" }: DrawnProps) {
  return <i aria-hidden="true" className={`block size-2.5 rounded-full border-[1.5px] border-line ${className}`} />;
}
