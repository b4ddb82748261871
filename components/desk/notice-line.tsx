import { X } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../look/button";
import { IconButton } from "../look/icon-button";
import type { Notice } from "./desk-context";

const SHOWN_MS = 8_000;

/** One line for what the page does not show by itself, with a way back where there is one. */
export function NoticeLine({ notice, onClose }: { readonly notice: Notice | null; readonly onClose: () => void }) {
  useEffect(() => {
    if (notice === null) return undefined;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, onClose]);
  return (
    <div role="status" aria-label="Notice" className="pointer-events-none fixed inset-x-0 bottom-36 z-50 flex justify-center px-4">
      {notice === null ? null : (
        <div data-edge="" className="pointer-events-auto flex max-w-[36rem] items-center gap-1 rounded-xl bg-raised py-1 pr-1 pl-4 text-14 shadow-[inset_0_0_0_1px_var(--hair),var(--lift)]">
          <span className="py-1.5 pr-2 [overflow-wrap:anywhere]">{notice.text}</span>
          {notice.undo === undefined ? null : (
            <Button
              kind="bare"
              onClick={() => {
                notice.undo?.();
                onClose();
              }}
            >
              Undo
            </Button>
          )}
          <IconButton size={28} iconSize={14} label="Close" icon={X} onClick={onClose} />
        </div>
      )}
    </div>
  );
}
