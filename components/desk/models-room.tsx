import { useCallback, useState } from "react";
import { useClient } from "#client/context";
import type { KeyEntry } from "#protocol/profile-shapes";
import { ConfirmDialog } from "../look/confirm-dialog";
import { ModelsPage } from "../settings/models-page";
import { ProfileChoice } from "../settings/profile-choice";
import { useDesk } from "./desk-context";
import { useRemote } from "./use-remote";

/** Providers and keys of a profile: first of the one whose session is on screen. */
export function ModelsRoom() {
  const { api } = useClient();
  const desk = useDesk();
  const [profile, setProfile] = useState(desk.profile);
  const [doomed, setDoomed] = useState<KeyEntry | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const loadModels = useCallback(() => api.setup.models(profile), [api, profile]);
  const loadKeys = useCallback(() => api.profiles.keys(profile), [api, profile]);
  const models = useRemote(`models:${profile}`, loadModels);
  const keys = useRemote(`keys:${profile}`, loadKeys);
  const reload = (): void => {
    models.reload();
    keys.reload();
    // The page's pickers, too.
    desk.models.reload();
  };
  const change = async (values: Readonly<Record<string, string | null>>): Promise<string | null> => {
    const answer = await api.profiles.changeKeys(profile, values);
    if (!answer.ok) return issueOf(answer.details) ?? answer.message;
    setRefusal(null);
    reload();
    return null;
  };
  return (
    <>
      <ModelsPage
        models={models.value}
        keys={keys.value?.keys ?? []}
        problem={refusal ?? models.failure?.message ?? keys.failure?.message ?? null}
        changes={{ change, remove: setDoomed }}
        onReload={reload}
        profile={<ProfileChoice profiles={(desk.profiles.value ?? []).map(({ name }) => name)} value={profile} onChoose={setProfile} />}
      />
      <ConfirmDialog
        open={doomed !== null}
        title={`Remove ${doomed?.name ?? ""}?`}
        description="It is taken out of the profile's .env and cannot be brought back from here."
        confirm="Remove"
        onConfirm={() => doomed !== null && void change({ [doomed.name]: null }).then(setRefusal)}
        onClose={() => setDoomed(null)}
      />
    </>
  );
}

/** What is wrong with a value, in the server's words. */
function issueOf(details: Readonly<Record<string, unknown>>): string | null {
  const { issues } = details;
  const first: unknown = Array.isArray(issues) ? issues[0] : null;
  if (typeof first !== "object" || first === null || !("message" in first) || typeof first.message !== "string") return null;
  const { message } = first;
  return /[.]$/.test(message) ? message : `This has to be ${message}.`;
}
