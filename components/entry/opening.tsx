import { useEffect, useState } from "react";
import { Ring } from "../look/ring";

interface OpeningProps {
  /** The session's title where it is known. */
  readonly title: string | null;
  /** Why it could not be opened yet; it is tried again. */
  readonly problem: string | null;
}

const PATIENCE_MS = 300;

/** Nothing for a moment, then one line on the axis; no skeletons. */
export function Opening({ title, problem }: OpeningProps) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-end" aria-busy="true">
      {late ? (
        <p role="status" className="relative mx-auto mb-5 flex w-full max-w-[min(calc(var(--measure)+2*var(--hang)),calc(100%-2rem))] items-center gap-2.5 px-[var(--hang)] text-14 text-muted phone:max-w-none phone:px-5">
          <Ring className="absolute left-0.5 phone:static" />
          {problem ?? (title === null ? "Opening the session" : `Opening “${title}”`)}
        </p>
      ) : null}
    </div>
  );
}
