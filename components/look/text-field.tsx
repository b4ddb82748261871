import type { ComponentProps } from "react";

interface TextFieldProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "className" | "aria-label"> {
  /** Read with the field; drawn above it unless `hiddenLabel`. */
  readonly label: string;
  readonly hiddenLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
}

export function TextField({ label, hiddenLabel = false, value, onChange, className = "", ...rest }: TextFieldProps) {
  return (
    <label className={`block ${className}`}>
      <span className={hiddenLabel ? "sr-only" : "mb-1 block text-12 font-medium text-faint"}>{label}</span>
      <input
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="block min-h-10 w-full rounded-lg border border-line bg-raised px-3 py-[9px] text-14 touch:min-h-11 touch:text-16"
        {...rest}
      />
    </label>
  );
}
