/** Something runs. Always beside a number or a name; stands still where motion is reduced. */
export function Ring({ className = "" }: { readonly className?: string }) {
  return <i aria-hidden="true" className={`spin-ring ${className}`} />;
}
