import { Tabs } from "radix-ui";
import type { ReactNode } from "react";
import { DialogLayer } from "../look/sheet";

interface SettingsDialogProps<Page extends string> {
  readonly page: Page;
  readonly pages: readonly { readonly page: Page; readonly label: string; readonly content: ReactNode }[];
  readonly onPage: (page: Page) => void;
  readonly onClose: () => void;
}

export function SettingsDialog<Page extends string>({ page, pages, onPage, onClose }: SettingsDialogProps<Page>) {
  const choose = (value: string): void => {
    const chosen = pages.find((entry) => entry.page === value);
    if (chosen !== undefined) onPage(chosen.page);
  };
  return (
    <DialogLayer open onClose={onClose} title="Settings" wide>
      <Tabs.Root value={page} onValueChange={choose} className="flex h-full flex-col pt-2">
        <Tabs.List aria-label="Settings" className="flex flex-none flex-wrap gap-0.5 phone:gap-0 px-4 pb-3 phone:px-2 phone:pb-2">
          {pages.map((entry) => (
            <Tabs.Trigger
              key={entry.page}
              value={entry.page}
              className="h-8 rounded-lg px-2.5 text-13 phone:px-1.5 text-muted data-[state=active]:bg-fill data-[state=active]:font-medium data-[state=active]:text-ink touch:h-11"
            >
              {entry.label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {pages.map((entry) => (
          <Tabs.Content key={entry.page} value={entry.page} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6 outline-none thin-scroll phone:px-4 data-[state=inactive]:hidden">
            {entry.page === page ? entry.content : null}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </DialogLayer>
  );
}
