import type { ChangedFile, ContextMeter } from "#fold/session-selectors";
import type { TodoItem } from "#protocol/event-values";
import type { Goal } from "#protocol/session-shapes";
import { Button } from "../look/button";
import { Meter } from "../look/meter";
import { TodoList } from "../output/todo-list";
import { LineChanges } from "../transcript/line-changes";
import { groupedWords } from "../words/count-words";
import { type GoalActions, GoalSection } from "./goal-section";
import { PanelSection } from "./panel-section";

export interface BackgroundProcess {
  readonly id: string;
  readonly command: string;
  /** "Port 5173, for 14 min". */
  readonly fact: string;
}

interface ActivityProps {
  readonly goal: Goal | null;
  readonly goalActions: GoalActions;
  readonly onSetGoal: () => void;
  readonly plan: { readonly items: readonly TodoItem[]; readonly waitsFor: "approval" | "answer" | null } | null;
  readonly files: readonly ChangedFile[];
  readonly onOpenFile: (path: string) => void;
  readonly processes: readonly BackgroundProcess[];
  readonly onStopProcess: (id: string) => void;
  readonly meter: ContextMeter | null;
}

/** What the session is about right now. A section that has nothing to say is not there. */
export function Activity(props: ActivityProps) {
  const { goal, plan, files, processes, meter } = props;
  return (
    <div className="flex flex-col gap-7">
      {goal === null ? (
        <Button kind="bare" onClick={props.onSetGoal} className="-my-1.5 -ml-3 self-start">
          Set a goal
        </Button>
      ) : (
        <GoalSection goal={goal} actions={props.goalActions} />
      )}
      {plan === null || plan.items.length === 0 ? null : (
        <PanelSection title="Plan" fact={`${plan.items.filter((item) => item.status === "completed").length} of ${plan.items.length}`}>
          <TodoList items={plan.items} waitsFor={plan.waitsFor} />
        </PanelSection>
      )}
      {files.length === 0 ? null : <ChangedFiles files={files} onOpen={props.onOpenFile} />}
      {processes.length === 0 ? null : (
        <PanelSection title="In the background">
          {processes.map((process) => (
            <div key={process.id} className="flex items-center gap-2 not-first:mt-2">
              <div className="min-w-0 flex-1">
                <div className="truncate text-code mono" title={process.command}>
                  {process.command}
                </div>
                <div className="text-13 text-muted tabular">{process.fact}</div>
              </div>
              <Button kind="bare" onClick={() => props.onStopProcess(process.id)} className="-mr-3">
                Stop
              </Button>
            </div>
          ))}
        </PanelSection>
      )}
      {meter === null ? null : <ContextSection meter={meter} />}
    </div>
  );
}

const CHANGE_WORD: Readonly<Record<ChangedFile["kind"], string>> = { created: "new ", changed: "", deleted: "deleted " };

function ChangedFiles({ files, onOpen }: { readonly files: readonly ChangedFile[]; readonly onOpen: (path: string) => void }) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <PanelSection title="Changed files" fact={<LineChanges added={added} removed={removed} />}>
      <ul className="-mx-2">
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              title={file.path}
              onClick={() => onOpen(file.path)}
              className="flex h-7 w-full items-center gap-2 rounded-md px-2 text-left text-code outline-offset-[-2px] mono hover:bg-fill touch:h-11"
            >
              <span className="min-w-0 flex-1 truncate [direction:rtl]">
                <bdi>{file.path}</bdi>
              </span>
              <span className="flex-none text-12 text-faint tabular">
                {CHANGE_WORD[file.kind]}
                {file.kind === "deleted" ? null : <LineChanges added={file.added} removed={file.removed} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

const NEARLY_FULL = 0.8;

/** What is there is never shown as nothing. */
function shareWords(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? "under 1 %" : `${percent} %`;
}

function ContextSection({ meter }: { readonly meter: ContextMeter }) {
  const { share, tokens, window } = meter;
  const full = share !== null && share >= NEARLY_FULL ? ", nearly full" : "";
  return (
    <PanelSection title="Context" fact={share === null ? null : `${meter.over ? "over " : ""}${shareWords(share)}`}>
      {share === null ? null : (
        <div className="mb-2">
          <Meter label="Context used" share={share} />
        </div>
      )}
      <p className="text-13 text-muted tabular">
        {window === null ? `${groupedWords(tokens)} tokens` : `${groupedWords(tokens)} of ${groupedWords(window)} tokens`}
        {full}
      </p>
    </PanelSection>
  );
}
