/** A project's colour; without one it is drawn as an outline. */
export function ProjectSquare({ color }: { readonly color: string | null }) {
  if (color === null) return <i aria-hidden="true" className="block size-2.5 flex-none rounded-[3px] border border-line" />;
  return <i aria-hidden="true" className="block size-2.5 flex-none rounded-[3px]" style={{ background: color }} />;
}
