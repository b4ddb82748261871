import { useState } from "react";
import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import { KeyList } from "../settings/key-list";
import { LookPage } from "../settings/look-page";
import { ModelsPage } from "../settings/models-page";
import { ProfilesPage } from "../settings/profiles-page";
import { ServerPage } from "../settings/server-page";
import { SettingsDialog } from "../settings/settings-dialog";
import { type SettingsPage, useDesk } from "./desk-context";
import { useRemote } from "./use-remote";

interface SettingsRoomProps {
  readonly page: SettingsPage;
  readonly onPage: (page: SettingsPage) => void;
  readonly onClose: () => void;
}

export function SettingsRoom({ page, onPage, onClose }: SettingsRoomProps) {
  const { look, changeLook, models, modifier } = useDesk();
  return (
    <SettingsDialog
      page={page}
      onPage={onPage}
      onClose={onClose}
      pages={[
        { page: "look", label: "Look", content: <LookPage theme={look.theme} text={look.text} view={look.view} onChange={changeLook} /> },
        { page: "models", label: "Models and keys", content: <ModelsPage models={models.value} problem={models.failure?.message ?? null} onReload={models.reload} /> },
        { page: "profiles", label: "Profiles", content: <ProfilesRoom /> },
        { page: "keys", label: "Keyboard", content: <KeyList modifier={modifier} /> },
        { page: "server", label: "Server", content: <ServerRoom /> },
      ]}
    />
  );
}

function ProfilesRoom() {
  const { api } = useClient();
  const { profiles } = useDesk();
  const [problem, setProblem] = useState<string | null>(null);
  const settle = async (request: Promise<ApiResult<unknown>>): Promise<void> => {
    const answer = await request;
    setProblem(answer.ok ? null : answer.message);
    profiles.reload();
  };
  return (
    <ProfilesPage
      profiles={profiles.value ?? []}
      problem={problem ?? profiles.failure?.message ?? null}
      onCreate={(name) => void settle(api.setup.createProfile({ name }))}
      onRename={(name, newName) => void settle(api.setup.changeProfile(name, { new_name: newName }))}
      onRemove={(name) => void settle(api.setup.removeProfile(name))}
    />
  );
}

function ServerRoom() {
  const { api } = useClient();
  const { hasPassword, login } = useDesk();
  const health = useRemote("health", api.setup.health);
  const logout = async (): Promise<void> => {
    await api.setup.logout();
    login();
  };
  return <ServerPage health={health.value} problem={health.failure?.message ?? null} onLogout={hasPassword ? () => void logout() : null} />;
}
