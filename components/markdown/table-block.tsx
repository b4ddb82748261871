import { type ComponentProps, useRef } from "react";
import type { ExtraProps } from "streamdown";
import { CopyButton } from "../look/copy-button";

/** Wide tables scroll in their own box; copied as tab-separated cells, as spreadsheets take them. */
export function TableBlock({ node: _node, children }: ComponentProps<"table"> & ExtraProps) {
  const table = useRef<HTMLTableElement>(null);
  const cells = (): string =>
    Array.from(table.current?.rows ?? [], (row) => Array.from(row.cells, (cell) => cell.textContent.trim()).join("\t")).join("\n");
  return (
    <div className="group/table relative">
      <div className="overflow-x-auto thin-scroll" tabIndex={0} role="figure" aria-label="Table">
        <table ref={table}>{children}</table>
      </div>
      <CopyButton
        text={cells}
        label="Copy table"
        size={28}
        className="absolute top-0.5 right-0 bg-paper text-faint opacity-0 group-focus-within/table:opacity-100 group-hover/table:opacity-100 touch:hidden"
      />
    </div>
  );
}
