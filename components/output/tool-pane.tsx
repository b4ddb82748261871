/** What an opened call shows, by its kind. A pane that finds no shape of its own shows the plain result. */
import type { ReactNode } from "react";
import type { PartOf } from "#protocol/run-view";
import type { ToolKind } from "../transcript/tool-words";
import { groupedWords } from "../words/count-words";
import { DiffView } from "./diff-view";
import { FileView } from "./file-view";
import { JsonTree } from "./json-tree";
import { Pane, PaneNote } from "./pane";
import { PlacesView } from "./places-view";
import { TerminalText } from "./terminal-text";
import { TodoList } from "./todo-list";
import { diffOf, fileLinesOf, fileRangeOf, jsonOf, placesOf, todoItemsOf } from "./tool-data";

type ToolPart = PartOf<"tool">;

interface ToolPaneProps {
  readonly part: ToolPart;
  readonly kind: ToolKind;
}

const LIVE_LINES = 10;
const DONE_LINES = 300;

const PANES: Readonly<Record<ToolKind, (part: ToolPart) => ReactNode>> = {
  command: commandPane,
  process: commandPane,
  read: filePane,
  list: plainPane,
  write: changePane,
  edit: changePane,
  search: placesPane,
  fetch: plainPane,
  handOn: plainPane,
  plan: planPane,
  ask: plainPane,
  remember: argumentsPane,
  recall: plainPane,
  skill: plainPane,
  other: argumentsPane,
};

export function ToolPane({ part, kind }: ToolPaneProps) {
  const { truncated } = part;
  const isChange = (kind === "write" || kind === "edit") && diffOf(part.data) !== null;
  return (
    <Pane label={isChange ? `Changes in ${part.title}` : `Output of ${part.title}`} flush={isChange}>
      {PANES[kind](part)}
      {part.invalid === null ? null : <PaneNote>{part.invalid}</PaneNote>}
      {truncated === null ? null : (
        <PaneNote>
          Shown {groupedWords(truncated.shown)} of {groupedWords(truncated.total)} characters
        </PaneNote>
      )}
    </Pane>
  );
}

function isOpen(part: ToolPart): boolean {
  return part.status === "running" || part.status === "pending";
}

function commandPane(part: ToolPart): ReactNode {
  const lines = isOpen(part) ? LIVE_LINES : DONE_LINES;
  const streamed = part.stdout !== "" || part.stderr !== "";
  if (!streamed) return plainPane(part);
  return (
    <>
      {part.stdout === "" ? null : <TerminalText text={part.stdout} lines={lines} />}
      {part.stderr === "" ? null : <TerminalText text={part.stderr} lines={lines} />}
    </>
  );
}

function plainPane(part: ToolPart): ReactNode {
  const text = part.result ?? part.stdout;
  if (text.trim() !== "") return <TerminalText text={text} lines={DONE_LINES} />;
  return <PaneNote>{isOpen(part) ? "No output yet" : "No output"}</PaneNote>;
}

function changePane(part: ToolPart): ReactNode {
  const diff = diffOf(part.data);
  if (diff !== null) return <DiffView diff={diff} named={false} />;
  const content: unknown = part.arguments["content"];
  if (part.status !== "error" && typeof content === "string") {
    return <FileView path={part.title} firstLine={1} lines={content.split("\n")} shown={60} />;
  }
  return plainPane(part);
}

function filePane(part: ToolPart): ReactNode {
  const lines = fileLinesOf(part.data, part.result);
  if (lines === null) return plainPane(part);
  return <FileView path={part.title} firstLine={fileRangeOf(part.data)?.first_line ?? 1} lines={lines} shown={60} />;
}

function placesPane(part: ToolPart): ReactNode {
  const places = placesOf(part.data);
  const pattern: unknown = part.arguments["pattern"];
  return places === null ? plainPane(part) : <PlacesView places={places} pattern={typeof pattern === "string" ? pattern : ""} />;
}

function planPane(part: ToolPart): ReactNode {
  const items = todoItemsOf(part.arguments);
  return items.length === 0 ? plainPane(part) : <TodoList items={items} />;
}

function argumentsPane(part: ToolPart): ReactNode {
  const answer = part.result === null ? null : jsonOf(part.result);
  return (
    <>
      {Object.keys(part.arguments).length === 0 ? null : <JsonTree value={part.arguments} open={2} />}
      {part.result === null && part.stdout === "" ? null : (
        <div className="mt-2 border-t border-hair pt-2">{answer === null ? plainPane(part) : <JsonTree value={answer} />}</div>
      )}
    </>
  );
}
