import { PanelRight, X } from "lucide-react";
import { Tabs } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "../look/icon-button";

export const PANEL_TABS = ["activity", "files", "changes"] as const;
export type PanelTab = (typeof PANEL_TABS)[number];

interface PanelProps {
  readonly tab: PanelTab;
  readonly onTab: (tab: PanelTab) => void;
  /** `column` can be hidden, `layer` lies over the page and can be closed. */
  readonly as: "column" | "layer";
  readonly onHide: () => void;
  readonly contents: Readonly<Record<PanelTab, ReactNode>>;
}

const TAB_LABEL: Readonly<Record<PanelTab, string>> = { activity: "Activity", files: "Files", changes: "Changes" };

function isTab(value: string): value is PanelTab {
  return PANEL_TABS.some((tab) => tab === value);
}

export function Panel({ tab, onTab, as, onHide, contents }: PanelProps) {
  return (
    <aside aria-label="Workspace" data-region="" tabIndex={-1} className="flex h-full min-h-0 flex-col bg-paper outline-none">
      <Tabs.Root value={tab} onValueChange={(value) => isTab(value) && onTab(value)} className="flex min-h-0 flex-1 flex-col">
        <div className="flex h-13 flex-none items-center px-3">
          <Tabs.List aria-label="Panel" className="flex gap-0.5">
            {PANEL_TABS.map((value) => (
              <Tabs.Trigger
                key={value}
                value={value}
                className="h-8 rounded-lg px-2.5 text-13 text-muted data-[state=active]:bg-fill data-[state=active]:font-medium data-[state=active]:text-ink touch:h-11"
              >
                {TAB_LABEL[value]}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <IconButton label={as === "column" ? "Hide panel" : "Close panel"} icon={as === "column" ? PanelRight : X} onClick={onHide} className="ml-auto" />
        </div>
        {PANEL_TABS.map((value) => (
          <Tabs.Content key={value} value={value} className="min-h-0 flex-1 overflow-y-auto px-[22px] pt-2 pb-6 outline-offset-[-2px] thin-scroll">
            {value === tab ? contents[value] : null}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </aside>
  );
}
