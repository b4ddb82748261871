/** The redactor as the writer sees it (`#journal/redact` makes it): J6, what is stored is redacted. */
export interface StreamRedactor {
  /** What may leave now; the rest is held back because it may be the start of a secret. */
  push(text: string): string;
  /** Everything that was held back. */
  flush(): string;
  /** True while something is held back. */
  readonly holds: boolean;
}

export interface Redactor {
  text(value: string): string;
  json<T>(value: T): { readonly value: T; readonly changed: boolean };
  stream(): StreamRedactor;
}
