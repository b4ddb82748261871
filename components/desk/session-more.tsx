import { Download, Search, ShieldAlert, ShieldCheck, Target } from "lucide-react";
import type { ExportFormat } from "#client/session-api";
import type { SessionFacts } from "#fold/session-view";
import { MenuChoices, MenuItem, MenuRule, MenuTitle, SubMenu } from "../look/menu";
import { SessionMenuItems, type SessionMenuActions } from "../sidebar/session-menu";
import type { ViewMode } from "../transcript/transcript-rows";
import { VIEW_LABEL } from "./session-header";

interface SessionMoreProps {
  readonly session: SessionFacts;
  readonly actions: SessionMenuActions;
  readonly view: ViewMode;
  readonly onView: (view: ViewMode) => void;
  readonly onFind: () => void;
  readonly onYolo: (enabled: boolean) => void;
  /** Null while a goal stands: it has a menu of its own. */
  readonly onGoal: (() => void) | null;
  readonly exportUrl: (format: ExportFormat) => string;
}

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string }[] = [
  { format: "md", label: "As Markdown" },
  { format: "html", label: "As a page" },
  { format: "json", label: "As JSON, to import again" },
];
const VIEWS = ["detailed", "compact", "answer"] as const satisfies readonly ViewMode[];

/** What can be done with the open session. On phones it holds view and find as well. */
export function SessionMore(props: SessionMoreProps) {
  const { session, view } = props;
  return (
    <>
      <MenuTitle>{session.title}</MenuTitle>
      <div className="hidden phone:block">
        <MenuChoices label="View" value={view} choices={VIEWS.map((value) => ({ value, label: VIEW_LABEL[value] }))} onChoose={props.onView} />
        <MenuItem icon={Search} onSelect={props.onFind}>
          Find in this session
        </MenuItem>
        <MenuRule />
      </div>
      <MenuItem icon={session.yolo ? ShieldCheck : ShieldAlert} onSelect={() => props.onYolo(!session.yolo)}>
        {session.yolo ? "Ask before risky commands" : "Run risky commands unasked"}
      </MenuItem>
      {props.onGoal === null ? null : (
        <MenuItem icon={Target} onSelect={props.onGoal}>
          Set a goal
        </MenuItem>
      )}
      <SubMenu icon={Download} label="Export">
        {FORMATS.map(({ format, label }) => (
          <MenuItem key={format} onSelect={() => window.location.assign(props.exportUrl(format))}>
            {label}
          </MenuItem>
        ))}
      </SubMenu>
      <MenuRule />
      <SessionMenuItems session={session} actions={props.actions} />
    </>
  );
}
