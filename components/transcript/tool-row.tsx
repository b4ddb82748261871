import { memo, type ReactNode } from "react";
import type { PartOf } from "#protocol/run-view";
import { useNow } from "../look/use-now";
import { ToolPane } from "../output/tool-pane";
import { DisclosureRow } from "./disclosure-row";
import { visibleText } from "../words/visible-text";
import { LineChanges } from "./line-changes";
import { ToolIcon } from "./tool-icon";
import { type Denial, toolFact, type ToolKind, toolKindOf, toolVerb } from "./tool-words";

interface ToolRowProps {
  readonly part: PartOf<"tool">;
  readonly approval: PartOf<"approval"> | null;
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
  /** Shown in the opened row before its pane. */
  readonly inner?: ReactNode;
}

type TitleStyle = "typed" | "said" | "plain";

/** How a title stands in the line: as typed, as words somebody said, or as words of the line itself. */
const TITLE: Readonly<Record<ToolKind, TitleStyle>> = {
  command: "typed",
  process: "plain",
  read: "typed",
  list: "typed",
  write: "typed",
  edit: "typed",
  search: "typed",
  fetch: "typed",
  handOn: "said",
  plan: "plain",
  ask: "said",
  remember: "plain",
  recall: "said",
  skill: "plain",
  other: "typed",
};

export const ToolRow = memo(function ToolRow({ part, approval, open, onToggle, inner = null }: ToolRowProps) {
  const kind = toolKindOf(part.name);
  const running = part.status === "running";
  const now = useNow(running);
  const seconds = part.started_at === null ? 0 : now - part.started_at;
  return (
    <DisclosureRow
      name={part.title}
      icon={<ToolIcon kind={kind} state={part.status} />}
      label={
        <>
          {toolVerb(kind, part)} <ToolTitle title={part.title} style={TITLE[kind]} />
        </>
      }
      fact={factOf(part, approval, seconds)}
      open={open}
      onToggle={() => onToggle(part.tool_call_id)}
    >
      {inner}
      <ToolPane part={part} kind={kind} />
    </DisclosureRow>
  );
});

function ToolTitle({ title, style }: { readonly title: string; readonly style: TitleStyle }) {
  if (style !== "typed") return <span>{style === "said" ? `“${title}”` : title}</span>;
  return <b className="ml-0.5 text-code leading-6 font-normal text-ink mono">{visibleText(title)}</b>;
}

function factOf(part: PartOf<"tool">, approval: PartOf<"approval"> | null, seconds: number) {
  const [file] = part.files;
  const kind = toolKindOf(part.name);
  if (part.status === "ok" && file !== undefined && (kind === "write" || kind === "edit")) {
    const added = part.files.reduce((sum, change) => sum + change.added, 0);
    const removed = part.files.reduce((sum, change) => sum + change.removed, 0);
    return <LineChanges added={added} removed={removed} />;
  }
  return toolFact(part, denialOf(approval), seconds);
}

const DENIAL: Readonly<Record<PartOf<"approval">["status"], Denial>> = {
  pending: "rule",
  approved: "rule",
  denied: "person",
  expired: "expired",
  cancelled: "rule",
};

function denialOf(approval: PartOf<"approval"> | null): Denial {
  return approval === null ? "rule" : DENIAL[approval.status];
}
