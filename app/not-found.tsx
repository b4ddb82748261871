import Link from "next/link";
import { WordMark } from "#components/look/wing-mark";

export default function NotFoundPage() {
  return (
    <main className="mx-auto max-w-[var(--measure)] px-6 pt-16 phone:px-5 phone:pt-8 tablet:px-0">
      <WordMark />
      <h1 className="mt-9 text-20 font-semibold tracking-[-0.01em]">There is no page at this address</h1>
      <p className="mt-3 text-16 text-muted">It may be cut short.</p>
      <Link href="/" className="mt-5 inline-flex h-8 items-center rounded-lg bg-accent-solid px-3 text-13 font-medium text-on-accent touch:h-11">
        To your sessions
      </Link>
    </main>
  );
}
