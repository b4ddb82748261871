import { User } from "lucide-react";
import { Icon } from "../look/icon";
import { Menu, MenuChoices } from "../look/menu";

interface ProfilePickerProps {
  readonly profiles: readonly string[];
  readonly value: string;
  readonly onChoose: (name: string) => void;
}

/** Whose memory, keys and skills the session uses. */
export function ProfilePicker({ profiles, value, onChoose }: ProfilePickerProps) {
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" aria-label={`Profile: ${value}`} className="inline-flex h-7 max-w-40 min-w-0 items-center gap-1.5 rounded-lg px-2 text-13 text-muted hover:bg-fill touch:h-11">
          <Icon of={User} size={14} className="text-faint" />
          <span className="truncate">{value}</span>
        </button>
      }
    >
      <MenuChoices label="Profile" value={value} choices={profiles.map((name) => ({ value: name, label: name }))} onChoose={onChoose} />
    </Menu>
  );
}
