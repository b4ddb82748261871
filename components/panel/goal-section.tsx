import { CircleCheck, Ellipsis, Pause, Pencil, Play, Trash2 } from "lucide-react";
import type { Goal } from "#protocol/session-shapes";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import { Menu, MenuItem } from "../look/menu";
import { Meter } from "../look/meter";
import { goalWords } from "./goal-words";

export interface GoalActions {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly edit: () => void;
  readonly clear: () => void;
}

interface GoalSectionProps {
  readonly goal: Goal;
  readonly actions: GoalActions;
}

export function GoalSection({ goal, actions }: GoalSectionProps) {
  const words = goalWords(goal);
  return (
    <section>
      <h2 className="mb-2 flex items-center text-12 font-medium text-faint">
        {goal.status === "done" ? <Icon of={CircleCheck} size={14} className="mr-1.5 text-good" /> : null}
        {words.title}
        <span className="ml-auto font-normal tabular">{words.fact}</span>
        <GoalMenu goal={goal} actions={actions} />
      </h2>
      <p className="text-14 [overflow-wrap:anywhere]">{goal.goal}</p>
      {words.share === null ? null : (
        <div className="mt-2.5 mb-2">
          <Meter label="Turns used" share={words.share} />
        </div>
      )}
      <div className="flex items-center gap-2">
        {words.verdict === null ? null : <p className="flex-1 text-13 text-muted [overflow-wrap:anywhere]">{words.verdict}</p>}
        {goal.status === "paused" ? (
          <Button kind="bare" onClick={actions.resume} className="-my-1.5 -mr-3 ml-auto">
            Resume
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function GoalMenu({ goal, actions }: GoalSectionProps) {
  return (
    <Menu align="end" trigger={<IconButton size={24} iconSize={14} label="What to do with the goal" icon={Ellipsis} className="-my-1 -mr-1.5 ml-1" />}>
      {goal.status === "active" ? (
        <MenuItem icon={Pause} onSelect={actions.pause}>
          Pause
        </MenuItem>
      ) : null}
      {goal.status === "paused" ? (
        <MenuItem icon={Play} onSelect={actions.resume}>
          Resume
        </MenuItem>
      ) : null}
      <MenuItem icon={Pencil} onSelect={actions.edit}>
        Edit
      </MenuItem>
      <MenuItem icon={Trash2} onSelect={actions.clear}>
        Clear
      </MenuItem>
    </Menu>
  );
}
