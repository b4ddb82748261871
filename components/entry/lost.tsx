import { Button } from "../look/button";

interface LostProps {
  readonly onNew: () => void;
  readonly onSearch: () => void;
}

/** An address that names no session. */
export function Lost({ onNew, onSearch }: LostProps) {
  return (
    <div className="mx-auto w-full max-w-[min(calc(var(--measure)+2*var(--hang)),calc(100%-2rem))] flex-1 px-[var(--hang)] pt-[72px] phone:px-5">
      <h1 className="text-20 font-semibold tracking-[-0.01em]">There is no session at this address</h1>
      <p className="mt-3 text-16 text-muted">It may have been deleted, or the address may be cut short.</p>
      <div className="mt-5 flex gap-2">
        <Button kind="solid" onClick={onNew}>
          New session
        </Button>
        <Button onClick={onSearch}>Search sessions</Button>
      </div>
    </div>
  );
}
