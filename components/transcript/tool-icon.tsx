import {
  Ban,
  BookOpen,
  Brain,
  CircleQuestionMark,
  CornerDownRight,
  File,
  Folder,
  Globe,
  ListChecks,
  type LucideIcon,
  Pencil,
  Power,
  Search,
  Square,
  Terminal,
  Wrench,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { OpenCircleIcon } from "../look/drawn-icons";
import { Icon } from "../look/icon";
import { Ring } from "../look/ring";
import type { ToolKind, ToolState } from "./tool-words";

const BY_KIND: Readonly<Record<ToolKind, LucideIcon>> = {
  command: Terminal,
  process: Terminal,
  read: File,
  list: Folder,
  write: Pencil,
  edit: Pencil,
  search: Search,
  fetch: Globe,
  handOn: CornerDownRight,
  plan: ListChecks,
  ask: CircleQuestionMark,
  remember: Brain,
  recall: Search,
  skill: BookOpen,
  other: Wrench,
};

const BY_STATE: Readonly<Record<ToolState, (kind: ToolKind) => ReactNode>> = {
  pending: () => <OpenCircleIcon className="m-[3px]" />,
  running: () => <Ring className="m-0.5" />,
  ok: (kind) => <Icon of={BY_KIND[kind]} />,
  error: () => <Icon of={X} className="text-bad" />,
  denied: () => <Icon of={Ban} />,
  cancelled: () => <Icon of={Square} />,
  interrupted: () => <Icon of={Power} />,
};

export function ToolIcon({ kind, state }: { readonly kind: ToolKind; readonly state: ToolState }) {
  return BY_STATE[state](kind);
}
