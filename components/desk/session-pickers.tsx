import { useClient } from "#client/context";
import type { SessionFacts } from "#fold/session-view";
import { ModelPicker } from "../composer/model-picker";
import { ProfilePicker } from "../composer/profile-picker";
import { useDesk } from "./desk-context";
import { modelGroups, type ModelPair } from "./model-choices";

interface SessionPickersProps {
  readonly session: SessionFacts;
  readonly pair: ModelPair | null;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Who answers in this session, and with whose memory. Both are the session's and change with its events. */
export function SessionPickers({ session, pair, open, onOpenChange }: SessionPickersProps) {
  const { api } = useClient();
  const { models, profiles, tell } = useDesk();
  const change = async (changes: { readonly provider?: string; readonly model?: string; readonly profile?: string }): Promise<void> => {
    const answer = await api.sessions.change(session.session_id, changes);
    if (!answer.ok) tell({ text: answer.message });
  };
  const opened = (next: boolean): void => {
    if (next) models.reload();
    onOpenChange(next);
  };
  return (
    <>
      <ModelPicker
        groups={modelGroups(models.value)}
        value={pair}
        open={open}
        onOpenChange={opened}
        onChoose={({ provider, model }) => void change({ provider, model })}
      />
      <ProfilePicker
        profiles={(profiles.value ?? []).map((profile) => profile.name)}
        value={session.profile}
        onChoose={(profile) => void change({ profile })}
      />
    </>
  );
}
