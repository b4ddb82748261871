export function WingMark() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5 flex-none text-accent">
      <path
        fill="currentColor"
        d="M1.8 16.9C3 9.3 8.7 3.3 18.2 2.9c-.7 2.9-2.4 4.8-5 5.7 1.1.1 2.1 0 3.1-.4-1 2.4-2.9 3.9-5.4 4.5.9.3 1.8.3 2.7.1-1.9 2.8-5.7 4.2-11.8 4.1z"
      />
    </svg>
  );
}

/** The product's name with its mark. */
export function WordMark() {
  return (
    <span className="flex items-center gap-2">
      <WingMark />
      <span className="text-15 leading-5 font-semibold tracking-[-0.01em]">Hermes</span>
    </span>
  );
}
