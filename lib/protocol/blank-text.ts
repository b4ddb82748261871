/** True for text that shows nothing: spaces, controls and invisible characters only. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Cf}]/u.test(text);
}
