/** What the rooms of the desk share: where they are, what the server offers, and the ways to somewhere else. */
import { createContext, useContext } from "react";
import type { Command, ModelList, Profile, Project } from "#client/answers";
import type { SessionApi } from "#client/session-api";
import type { RunnerTrouble } from "../words/runner-words";
import type { Look } from "./look";
import type { Place } from "./place";
import type { Remote } from "./use-remote";

/** What only the server knows and the page needs at once. */
export interface DeskFacts {
  readonly basePath: string;
  readonly look: Look;
  /** Where new sessions work when nobody says otherwise. */
  readonly workspace: string;
  readonly hasPassword: boolean;
}

export interface Notice {
  readonly text: string;
  /** The way back, where there is one. */
  readonly undo?: () => void;
}

export type SettingsPage = "look" | "models" | "profiles" | "keys" | "server";

export interface Desk {
  readonly basePath: string;
  readonly routes: Pick<SessionApi, "markSeen" | "processes" | "stopProcess">;
  readonly place: Place;
  readonly go: (place: Place, replace?: boolean) => void;
  readonly look: Look;
  readonly changeLook: (changes: Partial<Look>) => void;
  /** Says in one line what became of something that the page does not show by itself. */
  readonly tell: (notice: Notice) => void;
  readonly newSession: () => void;
  readonly openPalette: () => void;
  readonly openSettings: (page: SettingsPage) => void;
  readonly openSidebar: () => void;
  readonly login: () => void;
  /** Null while nothing is wrong with it. */
  readonly runnerTrouble: RunnerTrouble | null;
  /** A login is needed here, so there is one to end. */
  readonly hasPassword: boolean;
  /** Where new sessions work when nobody says otherwise. */
  readonly workspace: string;
  /** The profile of the session on screen. */
  readonly profile: string;
  readonly projects: Remote<readonly Project[]>;
  readonly profiles: Remote<readonly Profile[]>;
  readonly models: Remote<ModelList>;
  readonly commands: Remote<readonly Command[]>;
  /** ⌘ or Ctrl with a plus, as keys are written. */
  readonly modifier: string;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("This component needs a DeskContext around it.");
  return desk;
}
