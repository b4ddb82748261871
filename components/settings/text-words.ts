/** A profile's texts and servers in words. Pure. */
import type { McpServerEntry, ProfileText } from "#protocol/profile-shapes";
import { countOf, sizeWords } from "../words/count-words";

export const TEXT_TITLE: Readonly<Record<ProfileText["kind"], string>> = {
  soul: "Who it is",
  memory: "What it noted about the work",
  user: "What it noted about you",
  skill: "Skill",
};

export function textFact(text: ProfileText): string {
  if (text.size === null) return "not written yet";
  return text.room === null ? sizeWords(text.size) : `${text.room.used.toLocaleString("en")} of ${text.room.limit.toLocaleString("en")} characters`;
}

/** What a text is for, below its name in the editor. */
export const TEXT_NOTE: Readonly<Record<ProfileText["kind"], string>> = {
  soul: "Stands at the beginning of every run of this profile.",
  memory: "The agent’s own notes, parted by lines with a single §. All of it stands in every run.",
  user: "The agent’s notes about you, parted by lines with a single §. All of it stands in every run.",
  skill: "The agent sees name and description, and reads the rest when they fit.",
};


/** What a new skill begins with. */
export function newSkillText(name: string): string {
  return `---\nname: ${name}\ndescription: When this should be read, in one sentence.\n---\n\n`;
}

const TRANSPORT: Readonly<Record<McpServerEntry["transport"], string>> = { stdio: "A program", http: "An address" };

const STATUS: Readonly<Record<McpServerEntry["status"], (server: McpServerEntry) => string>> = {
  idle: () => "opened by the next run that needs it",
  unknown: () => "checked when a run uses it",
  starting: () => "starting",
  ready: (server) => `connected, ${countOf(server.tools.length, "tool")}`,
  failed: () => "not connected",
};

export function mcpWords(server: McpServerEntry): string {
  const state = `${TRANSPORT[server.transport]}, ${STATUS[server.status](server)}.`;
  return server.reason === null || server.status === "starting" ? state : `${state} ${server.reason}`;
}
