/** The one look of menus, over radix: focus, typeahead and placing are its, the rest is ours. */
import type { LucideIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Icon } from "./icon";

const SURFACE =
  "z-50 min-w-48 max-w-[min(20rem,calc(100vw-1rem))] max-h-[min(40rem,var(--radix-dropdown-menu-content-available-height))] overflow-y-auto thin-scroll rounded-xl bg-raised p-1 text-14 shadow-[inset_0_0_0_1px_var(--hair),var(--lift)] animate-fade";
const ITEM =
  "flex min-h-8 items-center gap-2.5 rounded-lg px-2.5 py-1 outline-none data-[highlighted]:bg-fill data-[disabled]:text-faint touch:min-h-11";

interface MenuProps {
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
  readonly side?: "top" | "bottom";
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

/** `trigger` is one button; it gets the menu's state and keys. */
export function Menu({ trigger, children, align = "start", side = "bottom", ...state }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} {...state}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align={align} side={side} sideOffset={4} collisionPadding={8} className={SURFACE} data-edge="">
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  readonly icon?: LucideIcon;
  readonly mark?: ReactNode;
  readonly hint?: string;
  readonly tone?: "plain" | "bad";
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, mark, hint, tone = "plain", disabled, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item className={`${ITEM} ${tone === "bad" ? "text-bad" : ""}`} disabled={disabled} onSelect={onSelect}>
      {icon === undefined ? mark : <Icon of={icon} className={tone === "bad" ? "" : "text-faint"} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint === undefined ? null : <span className="text-12 text-faint tabular">{hint}</span>}
    </DropdownMenu.Item>
  );
}

interface MenuChoicesProps<Value extends string> {
  readonly label?: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly hint?: string; readonly mark?: ReactNode }[];
  readonly onChoose: (value: Value) => void;
}

/** One of several, marked by a dot in the slot where icons stand. */
export function MenuChoices<Value extends string>({ label, value, choices, onChoose }: MenuChoicesProps<Value>) {
  return (
    <DropdownMenu.RadioGroup value={value}>
      {label === undefined ? null : <MenuLabel>{label}</MenuLabel>}
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={ITEM} onSelect={() => onChoose(choice.value)}>
          <span className="grid w-4 flex-none place-items-center">
            <DropdownMenu.ItemIndicator>
              <i className="block size-[7px] rounded-full bg-accent" />
            </DropdownMenu.ItemIndicator>
          </span>
          {choice.mark}
          <span className="min-w-0 flex-1 truncate">{choice.label}</span>
          {choice.hint === undefined ? null : <span className="text-12 text-faint tabular">{choice.hint}</span>}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-12 font-medium text-faint">{children}</DropdownMenu.Label>;
}

/** The whole name of what the menu is about, for fingers: what its row had to cut can be read here. */
export function MenuTitle({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="hidden px-2.5 pt-2 pb-1.5 text-14 font-medium [overflow-wrap:anywhere] touch:block">{children}</DropdownMenu.Label>;
}

export function MenuRule() {
  return <DropdownMenu.Separator className="mx-2.5 my-1 h-px bg-hair" />;
}

interface SubMenuProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly children: ReactNode;
}

export function SubMenu({ icon, label, children }: SubMenuProps) {
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className={`${ITEM} data-[state=open]:bg-fill`}>
        <Icon of={icon} className="text-faint" />
        <span className="min-w-0 flex-1 truncate">{label}</span>
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent sideOffset={4} collisionPadding={8} className={SURFACE} data-edge="">
          {children}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}
