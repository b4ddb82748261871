/** Layers over the page: a dialog in the middle, a slide-over at an edge. Esc and a press outside close them. */
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button";

interface LayerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

const SCRIM = "fixed inset-0 z-40 bg-scrim animate-fade";

interface DialogLayerProps extends LayerProps {
  /** Said below the heading, and read with it. */
  readonly description?: string;
  /** Room for pages of any length: it is as high as the screen lets it, so that changing the page moves nothing. */
  readonly wide?: boolean;
}

export function DialogLayer({ open, onClose, title, description, wide = false, children }: DialogLayerProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className={SCRIM} />
        <Dialog.Content
          data-edge=""
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-2xl bg-raised shadow-[inset_0_0_0_1px_var(--hair),var(--lift)] animate-fade ${wide ? "h-[46rem] max-w-[44rem]" : "max-w-[28rem]"}`}
        >
          <div className="flex items-center gap-2 pt-3.5 pr-3 pb-1 pl-6 touch:pt-2 touch:pr-2 phone:pl-4">
            <Dialog.Title className="flex-1 text-16 leading-6 font-semibold">{title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label="Close" icon={X} />
            </Dialog.Close>
          </div>
          {description === undefined ? null : <Dialog.Description className="px-6 text-14 text-muted">{description}</Dialog.Description>}
          <div className={wide ? "min-h-0 flex-1" : "min-h-0 overflow-y-auto px-6 pt-3 pb-6 thin-scroll phone:px-4 phone:pb-4"}>{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface EdgeLayerProps extends LayerProps {
  readonly edge: "left" | "right";
  /** Full width on phones, as the panel's sheet is. */
  readonly full?: boolean;
}

const EDGE: Readonly<Record<EdgeLayerProps["edge"], string>> = {
  left: "left-0 w-[19rem] phone:w-[min(21rem,calc(100vw-54px))] phone:rounded-r-[20px] bg-side animate-from-left",
  right: "right-0 w-[22.5rem] max-w-[calc(100vw-54px)] bg-paper animate-from-right",
};

export function EdgeLayer({ open, onClose, title, edge, full = false, children }: EdgeLayerProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className={SCRIM} />
        <Dialog.Content
          data-edge=""
          aria-describedby={undefined}
          className={`fixed inset-y-0 z-50 flex flex-col shadow-[0_0_0_1px_var(--hair),var(--lift)] ${EDGE[edge]} ${full ? "phone:w-screen phone:max-w-none" : ""}`}
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
