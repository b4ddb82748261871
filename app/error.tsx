"use client";

import { WordMark } from "#components/look/wing-mark";

interface ErrorPageProps {
  readonly reset: () => void;
}

/** A mistake of the page itself. Runs go on; drafts and messages are kept. */
export default function ErrorPage({ reset }: ErrorPageProps) {
  return (
    <main className="mx-auto max-w-[var(--measure)] px-6 pt-16 phone:px-5 phone:pt-8 tablet:px-0">
      <WordMark />
      <h1 className="mt-9 text-20 font-semibold tracking-[-0.01em]">The page stumbled</h1>
      <p className="mt-3 text-16 text-muted">What runs goes on, and what you wrote is kept.</p>
      <button type="button" onClick={reset} className="mt-5 h-8 rounded-lg bg-accent-solid px-3 text-13 font-medium text-on-accent touch:h-11">
        Draw it again
      </button>
    </main>
  );
}
