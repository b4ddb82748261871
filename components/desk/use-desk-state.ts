/** Makes the desk that all its rooms share (see `desk-context`). */
import { useCallback, useState } from "react";
import { useClient } from "#client/context";
import { useSessionList } from "#client/use-session-list";
import type { Desk, DeskFacts, Notice, SettingsPage } from "./desk-context";
import { isMac } from "./hotkeys";
import { moveTo, type Place, usePlace } from "./place";
import { useRunnerHealth } from "./use-health";
import type { LookControl } from "./use-look";
import { useRemote } from "./use-remote";

export interface DeskState {
  readonly desk: Desk;
  readonly notice: Notice | null;
  readonly closeNotice: () => void;
  readonly settings: SettingsPage | null;
  readonly setSettings: (page: SettingsPage | null) => void;
  readonly paletteOpen: boolean;
  readonly setPaletteOpen: (open: boolean) => void;
  readonly sidebarOpen: boolean;
  readonly setSidebarOpen: (open: boolean) => void;
}

export function useDeskState(facts: DeskFacts, { look, change }: LookControl): DeskState {
  const { basePath } = facts;
  const place = usePlace(basePath);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [settings, setSettings] = useState<SettingsPage | null>(null);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [sidebarOpen, setSidebarOpen] = useState(false);
  const go = useCallback((next: Place, replace = false) => moveTo(next, basePath, replace), [basePath]);
  const closeNotice = useCallback(() => setNotice(null), []);
  const { api } = useClient();
  const offers = useOffers(place);
  const newSession = useNewSession(go, setNotice);
  const desk: Desk = {
    ...offers,
    basePath,
    routes: api.sessions,
    place,
    go,
    look,
    changeLook: change,
    tell: setNotice,
    newSession,
    openPalette: () => setPaletteOpen(true),
    openSettings: setSettings,
    openSidebar: () => (window.matchMedia("(width >= 980px)").matches ? change({ side: true }) : setSidebarOpen(true)),
    login: () => window.location.assign(`${basePath}/login?next=${encodeURIComponent(window.location.pathname.slice(basePath.length))}`),
    runnerTrouble: useRunnerHealth(),
    hasPassword: facts.hasPassword,
    workspace: facts.workspace,
    modifier: isMac() ? "⌘" : "Ctrl ",
  };
  return { desk, notice, closeNotice, settings, setSettings, paletteOpen, setPaletteOpen, sidebarOpen, setSidebarOpen };
}

const USUAL_PROFILE = "default";

/** What the server offers. Models belong to a profile: that of the session on screen. */
function useOffers(place: Place): Pick<Desk, "profile" | "projects" | "profiles" | "models" | "commands"> {
  const { api } = useClient();
  const { sessions } = useSessionList();
  const profile = place.kind === "session" ? sessions.find((session) => session.session_id === place.sessionId)?.profile : undefined;
  const loadProjects = useCallback(async () => {
    const answer = await api.setup.projects();
    return answer.ok ? { ok: true as const, value: answer.value.projects } : answer;
  }, [api]);
  const loadProfiles = useCallback(async () => {
    const answer = await api.setup.profiles();
    return answer.ok ? { ok: true as const, value: answer.value.profiles } : answer;
  }, [api]);
  const loadCommands = useCallback(async () => {
    const answer = await api.setup.commands();
    return answer.ok ? { ok: true as const, value: answer.value.commands } : answer;
  }, [api]);
  const loadModels = useCallback(() => api.setup.models(profile), [api, profile]);
  return {
    profile: profile ?? USUAL_PROFILE,
    projects: useRemote("projects", loadProjects),
    profiles: useRemote("profiles", loadProfiles),
    commands: useRemote("commands", loadCommands),
    models: useRemote(`models:${profile ?? ""}`, loadModels),
  };
}

/** Goes to a new session; one that is still empty is used again. */
function useNewSession(go: Desk["go"], tell: Desk["tell"]): () => void {
  const { api, list } = useClient();
  const { sessions, filter } = useSessionList();
  const make = async (): Promise<void> => {
    const empty = sessions.find((session) => session.last_message_at === null && session.status === "idle" && !session.archived && session.parent_session_id === null);
    if (empty !== undefined) return go({ kind: "session", sessionId: empty.session_id, runId: null });
    const answer = await api.sessions.create(filter.project_id === undefined ? {} : { project_id: filter.project_id });
    if (!answer.ok) return tell({ text: answer.message });
    list.refresh();
    go({ kind: "session", sessionId: answer.value.session.session_id, runId: null });
  };
  return () => void make();
}
