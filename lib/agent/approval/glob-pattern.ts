/** A shell glob (`*`, `?`, `[…]`) as a regular expression. A slash is matched like any sign, as in `case`. */
export function globPattern(glob: string, flags: string, extent: "whole" | "anywhere"): RegExp {
  const body = glob.replace(/\*+|\?|\[(!|\^)?(\]?[^\]]*)\]|[\s\S]/g, (part, negation: string | undefined, set: string | undefined) => {
    if (part.startsWith("*")) return "[\\s\\S]*";
    if (part === "?") return "[\\s\\S]";
    if (set !== undefined && set !== "") return `[${negation === undefined ? "" : "^"}${set.replace(/[\\\]^[]/g, "\\$&")}]`;
    return escapeSigns(part);
  });
  try {
    return new RegExp(extent === "whole" ? `^(?:${body})$` : body, flags);
  } catch {
    // A set whose range runs backwards (`[z-a]`) matches nothing in a shell; take it literally.
    return new RegExp(extent === "whole" ? `^${escapeSigns(glob)}$` : escapeSigns(glob), flags);
  }
}

function escapeSigns(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
