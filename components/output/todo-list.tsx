import { Check, CircleQuestionMark, Hand, Minus } from "lucide-react";
import type { ReactNode } from "react";
import type { TodoItem } from "#protocol/event-values";
import { Icon } from "../look/icon";

interface TodoListProps {
  readonly items: readonly TodoItem[];
  /** What the current step waits for, if for the person. */
  readonly waitsFor?: "approval" | "answer" | null;
}

interface Mark {
  readonly mark: ReactNode;
  readonly word: string;
  readonly text: string;
}

const CIRCLE = "mt-[3px] size-3.5 flex-none rounded-full border-[1.5px]";
const MARKS: Readonly<Record<TodoItem["status"], Mark>> = {
  completed: { mark: <Icon of={Check} size={14} className="mt-[3px] text-accent" />, word: "done", text: "text-muted" },
  in_progress: {
    mark: (
      <i className={`${CIRCLE} grid place-items-center border-accent`}>
        <i className="size-1.5 rounded-full bg-accent" />
      </i>
    ),
    word: "now",
    text: "font-medium",
  },
  pending: { mark: <i className={`${CIRCLE} border-line`} />, word: "to do", text: "" },
  cancelled: { mark: <Icon of={Minus} size={14} className="mt-[3px] text-faint" />, word: "left out", text: "text-muted" },
};

export function TodoList({ items, waitsFor = null }: TodoListProps) {
  return (
    <ul className="font-sans">
      {items.map((item) => (
        <li key={item.id} className={`flex gap-2.5 py-1 text-14 ${MARKS[item.status].text}`}>
          {waitsFor !== null && item.status === "in_progress" ? (
            <Icon of={waitsFor === "approval" ? Hand : CircleQuestionMark} size={14} className="mt-[3px] text-attend-mark" />
          ) : (
            MARKS[item.status].mark
          )}
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span className="sr-only">{MARKS[item.status].word}: </span>
            {item.text}
          </span>
        </li>
      ))}
    </ul>
  );
}
