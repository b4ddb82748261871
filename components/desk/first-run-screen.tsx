import { type ReactNode, useState } from "react";
import { NEW_SESSION } from "#client/composer-store";
import { useClient } from "#client/context";
import { Composer } from "../composer/composer";
import type { DroppedFiles } from "../composer/dropped-files";
import { ModelPicker } from "../composer/model-picker";
import { FirstRun } from "../entry/first-run";
import { TextDialog } from "../look/text-dialog";
import { SendProblem, UnderLine } from "./composer-notes";
import { useDesk } from "./desk-context";
import { foundModels, usualModel } from "./found-models";
import { modelGroups, type ModelPair } from "./model-choices";
import { type Composing, useComposing } from "./use-composing";

const NOTHING = (): void => undefined;

/** No session yet: model, folder and care are chosen here, and the first message makes the session. */
export function FirstRunScreen() {
  const { api, composers } = useClient();
  const desk = useDesk();
  const models = desk.models.value;
  const composing = useComposing(NEW_SESSION, []);
  const [picked, setPicked] = useState<ModelPair | null>(null);
  const [folder, setFolder] = useState<string | null>(null);
  const [askingFolder, setAskingFolder] = useState(false);
  const [yolo, setYolo] = useState(false);
  const [modelsOpen, setModelsOpen] = useState(false);
  const found = foundModels(models);
  const providerOf = (id: string | undefined) => models?.providers.find((provider) => provider.id === id);
  const pair = picked ?? usualModel(providerOf(found.find((model) => model.available)?.id), models);
  // Only what was chosen is named in the request; everything else is the server's usual.
  const choices = { ...picked, ...(folder === null ? {} : { workspace: folder }) };

  const enter = (sessionId: string): void => {
    if (yolo) void api.chat.setYolo(sessionId, true);
    desk.go({ kind: "session", sessionId, runId: null }, true);
  };
  const send = async (): Promise<void> => {
    const answer = await composers.send(NEW_SESSION, "start", choices);
    if (answer?.ok === true) enter(answer.value.session_id);
  };
  const addFiles = async (files: readonly File[]): Promise<void> => {
    const answer = await composers.addFiles(NEW_SESSION, files, choices);
    if (answer.ok) enter(answer.value.session_id);
  };
  return (
    <>
      <FirstRun
        models={found}
        chosen={pair?.provider ?? null}
        onChoose={(id) => setPicked(usualModel(providerOf(id), models))}
        onLookAgain={desk.models.reload}
        onMore={() => desk.openSettings("models")}
        facts={[
          { name: "Works in", value: folder ?? desk.workspace, typed: true, onChange: () => setAskingFolder(true) },
          { name: "Risky commands", value: yolo ? "Run unasked" : "Asks you first", typed: false, onChange: () => setYolo(!yolo) },
        ]}
        composer={
          <FirstComposer
            composing={composing}
            onSend={() => void send()}
            onFiles={(files) => void files.then((dropped) => addFiles(dropped.files))}
            picker={<ModelPicker groups={modelGroups(models)} value={pair} open={modelsOpen} onOpenChange={setModelsOpen} onChoose={({ provider, model }) => setPicked({ provider, model })} />}
          />
        }
      />
      {askingFolder ? (
        <TextDialog title="Where should it work?" label="Folder on the server" initial={folder ?? desk.workspace} action="Work here" onSubmit={setFolder} onClose={() => setAskingFolder(false)} />
      ) : null}
    </>
  );
}

interface FirstComposerProps {
  readonly composing: Composing;
  readonly onSend: () => void;
  readonly onFiles: (files: Promise<DroppedFiles>) => void;
  readonly picker: ReactNode;
}

/** The composer before there is a session: nothing runs, so nothing can be stopped, queued or commanded. */
function FirstComposer({ composing, onSend, onFiles, picker }: FirstComposerProps) {
  const { composer } = composing;
  return (
    <>
      <SendProblem failure={composer.failure} />
      <Composer
        text={composer.text}
        onText={composing.setText}
        onSend={onSend}
        ready={composing.ready}
        running="no"
        onStop={NOTHING}
        mode="queue"
        offeredModes={["queue"]}
        onMode={NOTHING}
        tiles={composing.tiles}
        onFiles={onFiles}
        onRemoveFile={composing.removeFile}
        onRetryFile={composing.retryFile}
        commands={[]}
        onCommand={NOTHING}
        pickers={picker}
        eager
      />
      <UnderLine left={composer.sending === null ? "All of this can be changed later" : "Sending"} right="" />
    </>
  );
}
