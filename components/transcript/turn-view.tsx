import { memo, type ReactNode, useMemo } from "react";
import type { PromptAnswer } from "#client/prompt-store";
import type { Turn } from "#fold/transcript";
import type { PartOf } from "#protocol/run-view";
import { Markdown } from "../markdown/markdown";
import { childSessionOf } from "../output/tool-data";
import { ApprovalCard } from "../prompt/approval-card";
import { QuestionCard } from "../prompt/question-card";
import { FootLine } from "./foot-line";
import { MessageRow } from "./message-row";
import { OpeningNote, ProgressNote, SteerNote, WarningNote } from "./note-rows";
import { OutcomeRow } from "./outcome-row";
import { StepsRow, WorkedLine } from "./steps-row";
import { ThinkingRow } from "./thinking-row";
import { ToolRow } from "./tool-row";
import { toolKindOf } from "./tool-words";
import type { TranscriptActions } from "./transcript-actions";
import { type Row, rowsOfTurn, spaceAbove, type ViewMode } from "./transcript-rows";

/** What all turns share. Keeps its identity unless something in it changes. */
export interface TurnContext {
  readonly mode: ViewMode;
  readonly actions: TranscriptActions;
  /** Answers given here, by the prompt's id. */
  readonly answers: Readonly<Record<string, PromptAnswer>>;
  readonly openRows: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
  readonly editingRun: string | null;
  readonly onEndEdit: () => void;
  /** The session works: nothing may be asked again or edited. */
  readonly busy: boolean;
  /** The run of a helper by its session: its rows, or only what waits for the person. */
  readonly renderChild: (sessionId: string, show: "rows" | "prompts") => ReactNode;
}

interface TurnViewProps {
  readonly turn: Turn;
  readonly newest: boolean;
  readonly first: boolean;
  readonly context: TurnContext;
}

export const TurnView = memo(function TurnView({ turn, newest, first, context }: TurnViewProps) {
  const rows = useMemo(() => rowsOfTurn(turn, context.mode), [turn, context.mode]);
  return (
    <>
      {rows.map((row, index) => (
        <div key={row.key} data-row={row.key} style={{ marginTop: `${spaceOf(row, rows[index - 1] ?? null, first)}rem` }}>
          <RowView row={row} newest={newest} context={context} />
        </div>
      ))}
    </>
  );
});

/** In rem. The first row of a turn stands 32 px below the turn before it. */
function spaceOf(row: Row, before: Row | null, first: boolean): number {
  if (before === null) return first ? 0 : 2;
  return spaceAbove(row, before) / 4;
}

interface ToolCardProps {
  readonly part: PartOf<"tool">;
  readonly approval: PartOf<"approval"> | null;
  readonly context: TurnContext;
}

/** A call's row; work that was handed on holds the helper's own rows, and its prompts stand below it while it is closed. */
function ToolCard({ part, approval, context }: ToolCardProps) {
  const open = context.openRows.has(part.tool_call_id);
  const child = toolKindOf(part.name) === "handOn" ? childSessionOf(part.data) : null;
  if (child === null) return <ToolRow part={part} approval={approval} open={open} onToggle={context.onToggle} />;
  return (
    <>
      <ToolRow part={part} approval={approval} open={open} onToggle={context.onToggle} inner={open ? context.renderChild(child, "rows") : null} />
      {part.status === "running" && !open ? context.renderChild(child, "prompts") : null}
    </>
  );
}

interface RowViewProps {
  readonly row: Row;
  readonly newest: boolean;
  readonly context: TurnContext;
}

function RowView({ row, newest, context }: RowViewProps): ReactNode {
  const { actions, openRows, onToggle, busy } = context;
  switch (row.kind) {
    case "message":
      return row.run.message === null ? null : (
        <MessageRow
          run={row.run}
          message={row.run.message}
          editing={context.editingRun === row.run.run_id}
          busy={busy}
          actions={actions}
          onEndEdit={context.onEndEdit}
        />
      );
    case "opening":
      return <OpeningNote run={row.run} opening={row.opening} open={openRows.has(row.key)} onToggle={onToggle} />;
    case "thinking":
      return <ThinkingRow part={row.part} runEnded={row.runEnded} open={openRows.has(row.key)} onToggle={onToggle} />;
    case "tool":
      return <ToolCard part={row.part} approval={row.approval} context={context} />;
    case "steps":
      return <StepsRow rowKey={row.key} parts={row.parts} live={row.live} isOpen={(key) => openRows.has(key)} onToggle={onToggle} />;
    case "worked":
      return <WorkedLine run={row.run} />;
    case "words":
      return <Markdown text={row.part.text} live={row.live} />;
    case "approval":
      return <ApprovalCard part={row.part} answer={context.answers[row.part.approval_id] ?? null} onChoose={actions.approve} />;
    case "question":
      return <QuestionCard part={row.part} answer={context.answers[row.part.clarify_id] ?? null} onAnswer={actions.answer} onLeftOver={actions.keepWords} />;
    case "steer":
      return <SteerNote part={row.part} ended={row.ended} />;
    case "progress":
      return <ProgressNote part={row.part} />;
    case "warning":
      return <WarningNote part={row.part} />;
    case "outcome":
      return <OutcomeRow run={row.run} outcome={row.outcome} newest={newest} actions={actions} />;
    case "foot":
      return <FootLine run={row.run} actions={actions} busy={busy} />;
  }
}
