import { Command } from "cmdk";
import { Check, ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { useId, useState } from "react";
import { Icon } from "../look/icon";
import { tokenWords } from "../words/count-words";

export interface ModelChoice {
  readonly provider: string;
  readonly model: string;
  readonly name: string;
  readonly contextWindow: number | null;
}
export interface ModelGroup {
  readonly provider: string;
  readonly name: string;
  /** Why its models cannot be chosen now, or null. */
  readonly reason: string | null;
  readonly models: readonly ModelChoice[];
}

interface ModelPickerProps {
  readonly groups: readonly ModelGroup[];
  readonly value: { readonly provider: string; readonly model: string } | null;
  readonly onChoose: (choice: ModelChoice) => void;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Which model answers. Two providers may have a model of one name: what is chosen is the pair (B285). */
export function ModelPicker({ groups, value, onChoose, open, onOpenChange }: ModelPickerProps) {
  const [filter, setFilter] = useState("");
  const listId = useId();
  const current = groups.flatMap((group) => group.models).find((model) => isSame(model, value));
  const count = groups.reduce((sum, group) => sum + group.models.length, 0);
  const close = (): void => {
    onOpenChange(false);
    setFilter("");
  };
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>
        <button
          type="button"
          role="combobox"
          aria-label="Model"
          aria-expanded={open}
          aria-haspopup="listbox"
          aria-controls={listId}
          title={value === null ? "Choose a model" : `${value.provider}/${value.model}`}
          className="inline-flex h-7 max-w-56 min-w-0 items-center gap-1.5 rounded-lg px-2 text-13 whitespace-nowrap text-muted hover:bg-fill touch:h-11"
        >
          <span className="truncate">{current?.name ?? value?.model ?? "Choose a model"}</span>
          <Icon of={ChevronDown} size={14} className="text-faint" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          id={listId}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          data-edge=""
          className="z-50 flex max-h-[min(26rem,var(--radix-popover-content-available-height))] w-80 max-w-[calc(100vw-1rem)] animate-fade flex-col rounded-xl bg-raised shadow-[inset_0_0_0_1px_var(--hair),var(--lift)]"
        >
          <Command label="Find one" className="flex min-h-0 flex-col">
            <Command.Input
              value={filter}
              onValueChange={setFilter}
              placeholder={count > 8 ? "Find one" : "Choose one"}
              className="mx-3 mt-2 mb-1 h-9 flex-none bg-transparent text-14 outline-none touch:h-11 touch:text-16"
            />
            <Command.List className="min-h-0 overflow-y-auto border-t border-hair p-1 thin-scroll">
              <Command.Empty className="px-2.5 py-2 text-13 text-muted">No model has this in its name.</Command.Empty>
              {groups.map((group) => (
                <ModelGroupView key={group.provider} group={group} value={value} onChoose={(choice) => (close(), onChoose(choice))} />
              ))}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function isSame(choice: ModelChoice, value: ModelPickerProps["value"]): boolean {
  return value !== null && choice.model === value.model && choice.provider === value.provider;
}

interface ModelGroupViewProps {
  readonly group: ModelGroup;
  readonly value: ModelPickerProps["value"];
  readonly onChoose: (choice: ModelChoice) => void;
}

function ModelGroupView({ group, value, onChoose }: ModelGroupViewProps) {
  return (
    <Command.Group
      heading={group.reason === null ? group.name : `${group.name}: ${group.reason}`}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-faint"
    >
      {group.models.map((model) => (
        <Command.Item
          key={model.model}
          value={`${group.provider}/${model.model} ${model.name}`}
          disabled={group.reason !== null}
          onSelect={() => onChoose(model)}
          className="flex min-h-8 items-center gap-2.5 rounded-lg px-2.5 text-14 data-[disabled=true]:text-faint data-[selected=true]:bg-fill touch:min-h-11"
        >
          <span className="grid w-4 flex-none place-items-center text-accent">{isSame(model, value) ? <Icon of={Check} size={14} /> : null}</span>
          <span className="min-w-0 flex-1 truncate">{model.name}</span>
          {model.contextWindow === null ? null : <span className="flex-none text-12 text-faint tabular">{tokenWords(model.contextWindow)}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  );
}
