export interface CommandChoice {
  readonly name: string;
  readonly description: string;
  /** How its arguments are written, "" when it takes none. */
  readonly usage: string;
  readonly available: boolean;
  /** Why it is not, as a sentence. */
  readonly reason: string | null;
}

interface CommandMenuProps {
  readonly id: string;
  readonly commands: readonly CommandChoice[];
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onChoose: (command: CommandChoice) => void;
}

export function commandOptionId(menuId: string, index: number): string {
  return `${menuId}-${index}`;
}

/** Commands that may be meant, above the composer. Focus stays in the field. */
export function CommandMenu({ id, commands, active, onActive, onChoose }: CommandMenuProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Commands"
      data-edge=""
      className="absolute inset-x-0 bottom-full z-20 mb-2 max-h-72 overflow-y-auto rounded-xl bg-raised p-1 shadow-[inset_0_0_0_1px_var(--hair),var(--lift)] thin-scroll"
    >
      {commands.map((command, index) => (
        <button
          key={command.name}
          type="button"
          id={commandOptionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          aria-disabled={!command.available}
          ref={index === active ? scrollNear : undefined}
          onPointerMove={() => onActive(index)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(command)}
          className={`flex min-h-8 w-full items-center gap-2.5 rounded-lg px-5 phone:px-2.5 phone:py-1.5 text-left text-14 touch:min-h-11 ${index === active ? "bg-fill" : ""} ${command.available ? "" : "text-faint"}`}
        >
          <span className="flex-none text-code mono">
            /{command.name}
            {command.usage === "" ? null : <span className="text-faint"> {command.usage}</span>}
          </span>
          <span className="min-w-0 flex-1 truncate text-right text-13 text-muted phone:whitespace-normal">{command.available ? command.description : (command.reason ?? command.description)}</span>
        </button>
      ))}
    </div>
  );
}

function scrollNear(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
