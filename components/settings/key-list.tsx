interface KeyListProps {
  /** ⌘ or Ctrl with a plus. */
  readonly modifier: string;
}

const KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ["Enter"], does: "Send" },
  { keys: ["Shift Enter"], does: "Break the line" },
  { keys: ["mod K"], does: "Search sessions and messages, and do things" },
  { keys: ["mod F"], does: "Find in this session" },
  { keys: ["mod B"], does: "Show or hide the sessions" },
  { keys: ["mod ."], does: "Show or hide the panel" },
  { keys: ["mod ↑"], does: "Go to your last message" },
  { keys: ["mod J"], does: "Go to what waits for you" },
  { keys: ["1", "2", "3", "4"], does: "Answer an approval that has the focus" },
  { keys: ["F6"], does: "Walk through the regions of the page" },
  { keys: ["Esc"], does: "Close the top layer; twice stops the turn" },
];

export function KeyList({ modifier }: KeyListProps) {
  return (
    <dl>
      {KEYS.map(({ keys, does }) => (
        <div key={does} className="flex items-center gap-4 border-b border-hair py-2 last:border-0">
          <dt className="flex-1 text-14">{does}</dt>
          <dd className="flex gap-1.5">
            {keys.map((key) => (
              <kbd key={key} className="rounded-md bg-fill px-1.5 py-0.5 font-sans text-12 text-muted">
                {key.replace("mod ", modifier)}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
