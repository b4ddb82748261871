import { useClient } from "#client/context";
import { KeyList } from "../settings/key-list";
import { LookPage } from "../settings/look-page";
import { ServerPage } from "../settings/server-page";
import { SettingsDialog } from "../settings/settings-dialog";
import { type SettingsPage, useDesk } from "./desk-context";
import { ModelsRoom } from "./models-room";
import { ProfilesRoom } from "./profiles-room";
import { useRemote } from "./use-remote";

interface SettingsRoomProps {
  readonly page: SettingsPage;
  readonly onPage: (page: SettingsPage) => void;
  readonly onClose: () => void;
}

export function SettingsRoom({ page, onPage, onClose }: SettingsRoomProps) {
  const { look, changeLook, modifier } = useDesk();
  return (
    <SettingsDialog
      page={page}
      onPage={onPage}
      onClose={onClose}
      pages={[
        { page: "look", label: "Look", content: <LookPage theme={look.theme} text={look.text} view={look.view} onChange={changeLook} /> },
        { page: "models", label: "Models and keys", content: <ModelsRoom /> },
        { page: "profiles", label: "Profiles", content: <ProfilesRoom /> },
        { page: "keys", label: "Keyboard", content: <KeyList modifier={modifier} /> },
        { page: "server", label: "Server", content: <ServerRoom /> },
      ]}
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
