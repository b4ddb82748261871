import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Icon } from "../look/icon";

interface SideButtonProps extends Omit<ComponentProps<"button">, "className" | "children"> {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys?: string;
  readonly after?: LucideIcon;
  readonly className?: string;
}

/** A row of the sidebar that does something. */
export function SideButton({ icon, label, keys, after, className = "", ...rest }: SideButtonProps) {
  return (
    <button
      type="button"
      className={`flex h-8 w-full items-center gap-2 rounded-lg px-2 text-left text-14 outline-offset-[-2px] hover:bg-fill data-[state=open]:bg-fill touch:h-11 phone:text-16 ${className}`}
      {...rest}
    >
      <Icon of={icon} className="text-muted" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys === undefined ? null : (
        <kbd aria-hidden="true" className="font-sans text-12 text-faint phone:hidden">
          {keys}
        </kbd>
      )}
      {after === undefined ? null : <Icon of={after} size={14} className="text-faint" />}
    </button>
  );
}
