import type { LucideIcon } from "lucide-react";

interface IconProps {
  readonly of: LucideIcon;
  readonly size?: number;
  readonly className?: string;
}

/** A lucide mark at the page's stroke. Sizes in px at 100 % text size; it scales with the text. */
export function Icon({ of: Mark, size = 16, className = "" }: IconProps) {
  return <Mark width={`${size / 16}rem`} height={`${size / 16}rem`} strokeWidth={1.75} aria-hidden="true" className={`flex-none ${className}`} />;
}
