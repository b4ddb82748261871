import { Keyboard, Monitor, Moon, PanelLeft, Plus, Rows3, Settings, Sun } from "lucide-react";
import { useCallback, useDeferredValue, useState } from "react";
import { useClient } from "#client/context";
import { useSessionList } from "#client/use-session-list";
import { useNow } from "../look/use-now";
import { Palette, type PaletteAction, type PaletteEntry } from "../palette/palette";
import { sessionMoment } from "../sidebar/session-groups";
import { shortDateWords } from "../words/time-words";
import { useDesk } from "./desk-context";
import { useRemote } from "./use-remote";

const MOST = 6;
const LEAST_LETTERS = 2;

/** The palette over the client: it lives only while it is open. */
export function PaletteRoom({ onClose }: { readonly onClose: () => void }) {
  const { api } = useClient();
  const desk = useDesk();
  const list = useSessionList();
  const [words, setWords] = useState("");
  const asked = useDeferredValue(words.trim());
  const now = useNow(false);
  const loadSessions = useCallback(() => api.sessions.list({ query: asked, limit: MOST }), [api, asked]);
  const loadMessages = useCallback(() => api.sessions.search(asked), [api, asked]);
  const found = useRemote(asked === "" ? null : `sessions:${asked}`, loadSessions);
  const hits = useRemote(asked.length < LEAST_LETTERS ? null : `messages:${asked}`, loadMessages);
  const leave = (action: () => void) => (): void => {
    onClose();
    action();
  };
  const open = (sessionId: string, runId: string | null): (() => void) => leave(() => desk.go({ kind: "session", sessionId, runId }));

  const sessions = (asked === "" ? list.sessions : (found.value?.sessions ?? [])).slice(0, MOST);
  return (
    <Palette
      words={words}
      onWords={setWords}
      searching={found.loading || hits.loading}
      onClose={onClose}
      sessions={sessions.map((session) => ({
        id: session.session_id,
        label: session.title,
        hint: shortDateWords(sessionMoment(session), now),
        onSelect: open(session.session_id, null),
      }))}
      messages={(hits.value?.results ?? []).slice(0, MOST).map((hit, index) => ({
        id: `${hit.run_id}:${index}`,
        label: hit.snippet.replace(/\s+/g, " "),
        hint: hit.title,
        onSelect: open(hit.session_id, hit.run_id),
      }))}
      commands={useCommandEntries(asked, leave)}
      actions={useActions(leave).filter((action) => fits(action, asked))}
    />
  );
}

function fits(entry: PaletteEntry, words: string): boolean {
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => entry.label.toLowerCase().includes(word));
}

type Leave = (action: () => void) => () => void;

/** Commands go into the composer of the open session, where they can be completed. */
function useCommandEntries(words: string, leave: Leave): readonly PaletteEntry[] {
  const { composers } = useClient();
  const { place, commands } = useDesk();
  if (place.kind !== "session" || words === "") return [];
  const wanted = words.replace(/^\//, "").toLowerCase();
  return (commands.value ?? [])
    .filter((command) => command.available && command.name.includes(wanted))
    .slice(0, MOST)
    .map((command) => ({
      id: command.name,
      label: `/${command.name}`,
      hint: command.description,
      onSelect: leave(() => composers.setText(place.sessionId, `/${command.name} `)),
    }));
}

function useActions(leave: Leave): readonly PaletteAction[] {
  const desk = useDesk();
  const { look, changeLook, modifier } = desk;
  return [
    { id: "new", icon: Plus, label: "New session", hint: "", onSelect: leave(desk.newSession) },
    { id: "settings", icon: Settings, label: "Settings", hint: "", onSelect: leave(() => desk.openSettings("look")) },
    { id: "sessions", icon: PanelLeft, label: look.side ? "Hide the sessions" : "Show the sessions", hint: `${modifier}B`, onSelect: leave(() => changeLook({ side: !look.side })) },
    { id: "detailed", icon: Rows3, label: "View: detailed", hint: "", onSelect: leave(() => changeLook({ view: "detailed" })) },
    { id: "compact", icon: Rows3, label: "View: compact", hint: "", onSelect: leave(() => changeLook({ view: "compact" })) },
    { id: "answer", icon: Rows3, label: "View: answer only", hint: "", onSelect: leave(() => changeLook({ view: "answer" })) },
    { id: "light", icon: Sun, label: "Theme: light", hint: "", onSelect: leave(() => changeLook({ theme: "light" })) },
    { id: "dark", icon: Moon, label: "Theme: dark", hint: "", onSelect: leave(() => changeLook({ theme: "dark" })) },
    { id: "system", icon: Monitor, label: "Theme: as the system", hint: "", onSelect: leave(() => changeLook({ theme: "system" })) },
    { id: "keys", icon: Keyboard, label: "Keys", hint: "", onSelect: leave(() => desk.openSettings("keys")) },
  ];
}
