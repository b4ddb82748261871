/** The code of a system call's error (`ENOENT`, `EACCES` …), or null for any other thing thrown. */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
