import { WordMark } from "../look/wing-mark";
import { columnWidth, type Look } from "./look";

/** What the server draws: the columns in their tones and widths, so that nothing moves when the page wakes up. */
export function DeskShell({ look }: { readonly look: Look }) {
  return (
    <div className="flex h-dvh overflow-hidden bg-paper">
      {look.side ? (
        <div className="flex-none bg-side max-wide:max-w-[15.5rem] max-mid:hidden" style={{ width: columnWidth(look.sideWidth) }}>
          <div className="flex h-13 items-center pl-4">
            <WordMark />
          </div>
        </div>
      ) : null}
      <main className="flex-1" aria-busy="true" />
    </div>
  );
}
