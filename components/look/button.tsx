import type { ComponentProps } from "react";

export type ButtonKind = "solid" | "edged" | "bare" | "attendSolid" | "attendEdged";

const KIND: Readonly<Record<ButtonKind, string>> = {
  solid: "bg-accent-solid text-on-accent hover:bg-[color-mix(in_oklch,var(--accent-solid)_90%,var(--ink))]",
  edged: "edge text-ink hover:bg-fill",
  bare: "text-accent hover:bg-fill",
  attendSolid: "bg-attend-solid text-on-attend-solid hover:bg-[color-mix(in_oklch,var(--attend-solid)_88%,var(--attend-line))]",
  attendEdged: "shadow-[inset_0_0_0_1px_var(--attend-ctl)] text-ink hover:bg-attend-well",
};

interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  readonly kind?: ButtonKind;
  readonly className?: string;
}

/** 32 px high, 44 for fingers. Inert buttons keep their place and stay focusable by `aria-disabled`. */
export function Button({ kind = "edged", className = "", type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      data-edge=""
      className={`inline-flex h-8 flex-none items-center justify-center gap-1.5 rounded-lg px-3 text-13 font-medium whitespace-nowrap transition-colors duration-[120ms] aria-disabled:opacity-60 disabled:opacity-60 touch:h-11 ${KIND[kind]} ${className}`}
      {...rest}
    />
  );
}
