import { ChevronDown, User } from "lucide-react";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { Menu, MenuChoices } from "../look/menu";

interface ProfileChoiceProps {
  readonly profiles: readonly string[];
  readonly value: string;
  readonly onChoose: (name: string) => void;
}

/** Whose settings are shown; nothing where there is only one profile. */
export function ProfileChoice({ profiles, value, onChoose }: ProfileChoiceProps) {
  if (profiles.length < 2) return null;
  return (
    <Menu
      trigger={
        <Button aria-label={`Profile: ${value}`} className="max-w-56">
          <Icon of={User} size={14} className="text-faint" />
          <span className="truncate">{value}</span>
          <Icon of={ChevronDown} size={14} className="text-faint" />
        </Button>
      }
    >
      <MenuChoices label="Profile" value={value} choices={profiles.map((name) => ({ value: name, label: name }))} onChoose={onChoose} />
    </Menu>
  );
}
