import { useState } from "react";
import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import { ProfilesPage } from "../settings/profiles-page";
import { useDesk } from "./desk-context";
import { ProfileRoom } from "./profile-room";

/** The profiles: all of them, or the home of one. */
export function ProfilesRoom() {
  const { api } = useClient();
  const { profiles } = useDesk();
  const [opened, setOpened] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const settle = async (request: Promise<ApiResult<unknown>>): Promise<void> => {
    const answer = await request;
    setProblem(answer.ok ? null : answer.message);
    profiles.reload();
  };
  if (opened !== null) return <ProfileRoom key={opened} name={opened} onBack={() => setOpened(null)} />;
  return (
    <ProfilesPage
      profiles={profiles.value ?? []}
      problem={problem ?? profiles.failure?.message ?? null}
      onOpen={setOpened}
      onCreate={(name) => void settle(api.setup.createProfile({ name }))}
      onRename={(name, newName) => void settle(api.setup.changeProfile(name, { new_name: newName }))}
      onRemove={(name) => void settle(api.setup.removeProfile(name))}
    />
  );
}
