/** Asked only before what cannot be undone. Focus starts on the way back. */
import { AlertDialog } from "radix-ui";
import { Button } from "./button";

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog({ open, title, description, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-scrim animate-fade" />
        <AlertDialog.Content
          data-edge=""
          className="fixed top-1/2 left-1/2 z-50 w-[calc(100vw-2rem)] max-w-[26rem] -translate-x-1/2 -translate-y-1/2 rounded-2xl bg-raised p-6 shadow-[inset_0_0_0_1px_var(--hair),var(--lift)] animate-fade"
        >
          <AlertDialog.Title className="text-16 leading-6 font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1 text-14 text-muted">{description}</AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Keep</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button kind="solid" onClick={onConfirm}>
                {confirm}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
