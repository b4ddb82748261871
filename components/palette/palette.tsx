import { Command } from "cmdk";
import { CornerDownLeft, type LucideIcon, MessageSquare, Slash } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { Icon } from "../look/icon";

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly onSelect: () => void;
}
export interface PaletteAction extends PaletteEntry {
  readonly icon: LucideIcon;
}

interface PaletteProps {
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly actions: readonly PaletteAction[];
  readonly sessions: readonly PaletteEntry[];
  readonly messages: readonly PaletteEntry[];
  readonly commands: readonly PaletteEntry[];
  /** Still being looked for. */
  readonly searching: boolean;
  readonly onClose: () => void;
}

/** ⌘K: sessions, words in any message, commands and deeds in one field. What fits is decided by the caller. */
export function Palette(props: PaletteProps) {
  const { words, searching } = props;
  const nothing = props.actions.length + props.sessions.length + props.messages.length + props.commands.length === 0;
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : props.onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          data-edge=""
          aria-describedby={undefined}
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[76dvh] w-[min(40rem,calc(100vw-1rem))] -translate-x-1/2 animate-fade flex-col rounded-2xl bg-raised shadow-[inset_0_0_0_1px_var(--hair),var(--lift)]"
        >
          <Dialog.Title className="sr-only">Search and do</Dialog.Title>
          <Command shouldFilter={false} loop label="Search and do" className="flex min-h-0 flex-col">
            <Command.Input value={words} onValueChange={props.onWords} placeholder="Search sessions and messages" className="mx-5 h-14 flex-none bg-transparent text-16 outline-none" />
            <Command.List className="min-h-0 overflow-y-auto border-t border-hair p-1.5 thin-scroll">
              {nothing ? <p className="px-3.5 py-3 text-14 text-muted">{searching ? "Looking" : "Nothing has these words."}</p> : null}
              <PaletteGroup heading="Sessions" entries={props.sessions} icon={<Icon of={MessageSquare} className="text-faint" />} />
              <PaletteGroup heading="In messages" entries={props.messages} icon={<Icon of={CornerDownLeft} className="text-faint" />} />
              <PaletteGroup heading="Commands" entries={props.commands} icon={<Icon of={Slash} className="text-faint" />} />
              <PaletteGroup heading="Do" entries={props.actions} icon={null} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PaletteGroupProps {
  readonly heading: string;
  readonly entries: readonly (PaletteEntry | PaletteAction)[];
  readonly icon: ReactNode;
}

function PaletteGroup({ heading, entries, icon }: PaletteGroupProps) {
  if (entries.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3.5 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint"
    >
      {entries.map((entry) => (
        <Command.Item
          key={entry.id}
          value={`${heading}:${entry.id}`}
          onSelect={entry.onSelect}
          className="flex min-h-9 items-center gap-2.5 rounded-lg px-3.5 py-1 text-14 data-[selected=true]:bg-fill touch:min-h-11"
        >
          {"icon" in entry ? <Icon of={entry.icon} className="text-faint" /> : icon}
          <span className="min-w-0 flex-1 truncate">{entry.label}</span>
          <span className="max-w-[50%] flex-none truncate text-12 text-faint tabular">{entry.hint}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
