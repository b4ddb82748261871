import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon";

interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "aria-label" | "children"> {
  readonly label: string;
  readonly icon?: LucideIcon;
  /** A drawn mark in place of `icon`. */
  readonly children?: ReactNode;
  readonly iconSize?: number;
  /** 32 px in bars, 28 in rows, 24 in lines. For fingers always 44. */
  readonly size?: 32 | 28 | 24;
  readonly className?: string;
}

const SIZE: Readonly<Record<32 | 28 | 24, string>> = { 32: "size-8 rounded-lg", 28: "size-7 rounded-lg", 24: "size-6 rounded-md" };

export function IconButton({ label, icon, children, iconSize = 16, size = 32, className = "", type = "button", ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`grid flex-none place-items-center text-muted transition-colors duration-[120ms] hover:bg-fill hover:text-ink touch:size-11 ${SIZE[size]} ${className}`}
      {...rest}
    >
      {icon === undefined ? children : <Icon of={icon} size={iconSize} />}
    </button>
  );
}
