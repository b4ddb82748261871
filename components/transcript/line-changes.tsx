interface LineChangesProps {
  readonly added: number;
  readonly removed: number;
}

/** "+2 −1", read as words. */
export function LineChanges({ added, removed }: LineChangesProps) {
  if (added === 0 && removed === 0) return <span>unchanged</span>;
  return (
    <span>
      {added === 0 ? null : (
        <span className="text-good">
          <span aria-hidden="true">+{added}</span>
          <span className="sr-only">{added} added</span>
        </span>
      )}
      {added === 0 || removed === 0 ? null : " "}
      {removed === 0 ? null : (
        <span className="text-bad">
          <span aria-hidden="true">−{removed}</span>
          <span className="sr-only">{removed} removed</span>
        </span>
      )}
    </span>
  );
}
