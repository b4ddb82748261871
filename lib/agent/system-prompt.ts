/**
 * The system prompt: short, concrete and the same within a session's day, so that small local models
 * behave and prompt caches hold. Order: identity (SOUL.md), how to work, tools, environment, project
 * notes, memory.
 */
import type { Tool } from "./tools/tool-port";

export interface SystemPromptInput {
  /** SOUL.md of the profile, or null. */
  readonly soul: string | null;
  readonly tools: readonly Tool[];
  readonly workspace: string;
  readonly profile: string;
  readonly model: string;
  /** Unix seconds. */
  readonly now: number;
  /** e.g. "linux (x64)". */
  readonly platform: string;
  /** AGENTS.md or the like of the workspace, bounded, or null. */
  readonly project_notes: string | null;
  /** Rendered memory blocks, or null. */
  readonly memory: string | null;
  /** One line per skill, or null. */
  readonly skills: string | null;
}

const IDENTITY = "You are Hermes, an agent that works with real tools in a person's own workspace.";

const MANNER = [
  "Do the work with the tools instead of describing it. Look before you change, and check after you changed.",
  "Call a tool only by a name from the list below, with arguments that fit its schema.",
  "Paths are relative to the workspace. Never leave it with file tools.",
  "Some commands wait for the person's approval. A denied call is an answer: do not retry it or go around it.",
  "Ask with `clarify` only when you cannot go on without an answer. Keep a `todo` list for work of several steps.",
  "When you are done, say in plain words what you did and what is left. Answer in the person's language. Use Markdown.",
];

export function buildSystemPrompt(input: SystemPromptInput): string {
  const blocks = [
    input.soul ?? IDENTITY,
    MANNER.map((line) => `- ${line}`).join("\n"),
    input.tools.length === 0 ? "You have no tools in this session." : `Tools:\n${input.tools.map((tool) => `- ${tool.name}: ${firstSentence(tool.description)}`).join("\n")}`,
    [
      "Environment:",
      `- Workspace: ${input.workspace}`,
      `- Platform: ${input.platform}`,
      `- Date: ${new Date(input.now * 1000).toISOString().slice(0, 10)}`,
      `- Profile: ${input.profile}`,
      `- Model: ${input.model}`,
    ].join("\n"),
    input.skills === null ? null : `Skills (read one with the \`skills\` tool before you use it):\n${input.skills}`,
    input.project_notes === null ? null : `Notes of this workspace:\n${input.project_notes}`,
    input.memory,
  ];
  return blocks.filter((block) => block !== null && block.trim() !== "").join("\n\n");
}

/** Of its first line: a description from outside (MCP) may be a page. */
function firstSentence(description: string): string {
  const [line = ""] = description.split("\n", 1);
  const end = line.indexOf(". ");
  return end === -1 ? line : line.slice(0, end + 1);
}
