import { type Ref, useState } from "react";
import { activeRun, type ContextMeter, contextMeter } from "#fold/session-selectors";
import type { SessionView } from "#fold/session-view";
import type { QueueMode } from "#protocol/event-values";
import { Composer } from "../composer/composer";
import { sendNote } from "../composer/composer-words";
import { QueueList } from "../composer/queue-list";
import { tokenWords } from "../words/count-words";
import { CommandReply, DOCK, SendProblem, UnderLine } from "./composer-notes";
import { useDesk } from "./desk-context";
import { contextWindowOf, meterInUse, modelInUse } from "./model-choices";
import { SessionPickers } from "./session-pickers";
import { useComposing } from "./use-composing";
import { useQueueActions } from "./use-queue-actions";
import { useRunControls } from "./use-run-controls";
import { useSending } from "./use-sending";

interface SessionDockProps {
  readonly view: SessionView;
  readonly fieldRef: Ref<HTMLTextAreaElement>;
  readonly modelsOpen: boolean;
  readonly onModelsOpen: (open: boolean) => void;
  /** Esc was pressed once while the agent works. */
  readonly stopArmed: boolean;
  readonly onSent: () => void;
}

const STOP_HINT = "Press Esc once more to stop the turn";
const NO_RUN_MODES: readonly QueueMode[] = ["queue"];

/** Composer, queue and what they say, for a session that is open. */
export function SessionDock({ view, fieldRef, modelsOpen, onModelsOpen, stopArmed, onSent }: SessionDockProps) {
  const desk = useDesk();
  const { session } = view;
  const composing = useComposing(session.session_id, desk.commands.value ?? []);
  const queue = useQueueActions(view);
  const controls = useRunControls(view);
  const [chosenMode, setMode] = useState<QueueMode>("queue");
  const run = activeRun(view);
  const offered = run === null ? NO_RUN_MODES : (["queue", "steer", "interrupt"] as const).filter((mode) => run.controls.includes(mode));
  const mode = offered.includes(chosenMode) ? chosenMode : "queue";
  const pair = modelInUse(session, desk.models.value);

  const sending = useSending({ sessionId: session.session_id, composing, mode: run === null ? "start" : mode, onStarted: onSent });
  return (
    <div className={DOCK}>
      <QueueList items={queue.items} held={queue.held} actions={queue.actions} />
      <CommandReply text={sending.reply} onClose={sending.closeReply} />
      <SendProblem failure={composing.composer.failure} />
      <Composer
        text={composing.composer.text}
        onText={composing.setText}
        onSend={sending.send}
        ready={composing.ready}
        running={run === null ? "no" : run.status === "cancelling" || controls.stopping ? "stopping" : "yes"}
        onStop={controls.stop}
        mode={mode}
        offeredModes={offered}
        onMode={setMode}
        tiles={composing.tiles}
        onFiles={sending.addFiles}
        onRemoveFile={composing.removeFile}
        onRetryFile={composing.retryFile}
        commands={composing.commands}
        onCommand={sending.choose}
        pickers={<SessionPickers session={session} pair={pair} open={modelsOpen} onOpenChange={onModelsOpen} />}
        fieldRef={fieldRef}
        eager={view.runs.length === 0}
      />
      <UnderLine
        left={stopArmed ? STOP_HINT : composing.composer.sending !== null ? "Sending" : sendNote({ busy: run !== null, mode, queued: queue.items.length, held: queue.held !== "no" })}
        right={contextWords(meterInUse(contextMeter(view), pair, desk.models.value), contextWindowOf(pair, desk.models.value))}
      />
    </div>
  );
}

const NEARLY_FULL = 0.8;

function contextWords(meter: ContextMeter | null, window: number | null): string {
  if (meter === null) return window === null ? "" : `${tokenWords(window)} context`;
  const full = meter.share !== null && meter.share >= NEARLY_FULL ? ", nearly full" : "";
  return meter.window === null ? `${tokenWords(meter.tokens)} in context` : `${tokenWords(meter.tokens)} of ${tokenWords(meter.window)} context${full}`;
}
