/** Why a server could not be used, in the words that its failure has: the network's, the program's, or ours where those say nothing to a person. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name.includes("ZodError")) return "What it says is not of this protocol.";
  // The platform's fetch says "fetch failed", and why in the cause.
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
