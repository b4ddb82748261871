interface MeterProps {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
}

/** How full something is that has a known whole. */
export function Meter({ label, share }: MeterProps) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      data-edge=""
      className="h-1 overflow-hidden rounded-full bg-fill"
    >
      <i className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
    </div>
  );
}
