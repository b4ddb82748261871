import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Icon } from "../look/icon";
import { countOf } from "../words/count-words";

interface JsonTreeProps {
  readonly value: unknown;
  /** How many levels are open at first. */
  readonly open?: number;
}

/** JSON as a tree: objects and lists open one by one, long texts wrap. */
export function JsonTree({ value, open = 1 }: JsonTreeProps) {
  if (typeof value !== "object" || value === null) return <JsonLeaf value={value} />;
  return (
    <ul>
      {Object.entries(value).map(([key, child]) => (
        <JsonEntry key={key} name={key} value={child} open={open} />
      ))}
    </ul>
  );
}

function JsonEntry({ name, value, open }: { readonly name: string; readonly value: unknown; readonly open: number }) {
  const [isOpen, setIsOpen] = useState(open > 1);
  if (typeof value !== "object" || value === null) {
    return (
      <li className="pl-4">
        <span className="text-blue">{name}</span> <JsonLeaf value={value} />
      </li>
    );
  }
  return (
    <li>
      <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} className="flex min-h-6 items-center text-left hover:text-ink">
        <Icon of={ChevronRight} size={12} className={`mr-1 text-faint transition-transform duration-[120ms] ${isOpen ? "rotate-90" : ""}`} />
        <span className="text-blue">{name}</span>
        <span className="ml-2 text-faint">{Array.isArray(value) ? countOf(value.length, "entry", "entries") : countOf(Object.keys(value).length, "key")}</span>
      </button>
      {isOpen ? (
        <div className="pl-4">
          <JsonTree value={value} open={open - 1} />
        </div>
      ) : null}
    </li>
  );
}

function JsonLeaf({ value }: { readonly value: unknown }) {
  if (typeof value === "string") return <span className="whitespace-pre-wrap text-bronze [overflow-wrap:anywhere]">{value}</span>;
  return <span className="text-accent">{value === undefined ? "nothing" : String(value)}</span>;
}
