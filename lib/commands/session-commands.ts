/** Commands that make, change or show a session as a whole. */
import { branchSession } from "#sessions/branch-session";
import { createSession } from "#sessions/create-session";
import { patchSession } from "#sessions/patch-session";
import { restoreRuns, undoRuns } from "#sessions/rewind";
import { cleanTitle } from "#sessions/session-title";
import type { Command } from "./command";
import { wrongArgument } from "./command-input";

export const newCommand: Command = {
  name: "new",
  aliases: [],
  args: "",
  description: "Start a new session with the same folder, profile and model",
  when: "always",
  async run({ tools, session }) {
    const { profile, project_id, workspace, provider, model } = session;
    const made = await createSession(tools.room, tools.defaults, { profile, project_id, workspace, provider, model });
    return { message: "A new session.", session_id: made.session_id };
  },
};

export const clearCommand: Command = {
  name: "clear",
  aliases: [],
  args: "",
  description: "Clear the view; nothing is deleted",
  when: "always",
  run: () => Promise.resolve({ message: "The view is clear. Nothing was deleted.", data: { clear_view: true } }),
};

export const undoCommand: Command = {
  name: "undo",
  aliases: [],
  args: "[n|back]",
  description: "Take the last turn (or n turns) out; back brings them in again",
  when: "idle",
  async run({ tools, session, argument }) {
    if (argument.toLowerCase() === "back") {
      const { run_ids } = await restoreRuns(tools.room, session.session_id);
      return { message: `${turns(run_ids.length)} brought back.`, data: { run_ids } };
    }
    if (argument !== "" && !/^[1-9][0-9]{0,5}$/.test(argument)) throw wrongArgument("/undo takes a number of turns, or back.");
    const { run_ids } = await undoRuns(tools.room, session.session_id, argument === "" ? 1 : Number(argument));
    return { message: `${turns(run_ids.length)} taken out. /undo back brings them in again.`, data: { run_ids } };
  },
};

export const branchCommand: Command = {
  name: "branch",
  aliases: ["fork"],
  args: "[title]",
  description: "Go on in a copy of this session",
  when: "idle",
  async run({ tools, session, argument }) {
    const request = { sessionId: session.session_id, runId: null, title: argument === "" ? null : argument };
    const made = await branchSession(tools.room, tools.copyAttachment, request);
    return { message: `Branched to “${made.title}”.`, session_id: made.session_id };
  },
};

export const titleCommand: Command = {
  name: "title",
  aliases: ["rename"],
  args: "[text]",
  description: "Name this session, or tell its name",
  when: "always",
  async run({ tools, session, argument }) {
    if (cleanTitle(argument) === null) return { message: `This session is called “${session.title}”.`, data: { title: session.title } };
    const { title } = await patchSession(tools.room, tools.defaults, session.session_id, { title: argument });
    return { message: `This session is called “${title}” now.`, data: { title } };
  },
};

const FORMATS = ["md", "html", "json"] as const;

export const exportCommand: Command = {
  name: "export",
  aliases: [],
  args: "[md|html|json]",
  description: "Download this session",
  when: "always",
  run({ session, argument }) {
    const format = argument === "" ? "md" : FORMATS.find((known) => known === argument.toLowerCase());
    if (format === undefined) return Promise.reject(wrongArgument("/export takes md, html or json."));
    const url = `/api/sessions/${session.session_id}/export?format=${format}`;
    return Promise.resolve({ message: "The export is ready.", data: { url, format } });
  },
};

function turns(count: number): string {
  return count === 1 ? "One turn" : `${count} turns`;
}
