/**
 * All tools of ours, and the sets by which they are chosen. What a tool needs of the world comes in
 * as a port; whose profile and session a call is for comes with the call (`ToolContext`), so one list
 * serves all runs of a process.
 */
import { z } from "zod";
import type { ModelTool } from "../model/model-port";
import type { AllowInside } from "./address-guard";
import type { BackgroundProcesses } from "./background-processes";
import { createClarify } from "./clarify";
import { createDelegateTask, type DelegatePort } from "./delegate-task";
import { createMemory, type MemoryPort } from "./memory";
import { createPatch } from "./patch";
import { createProcess } from "./process";
import { createProcessTable } from "./process-table";
import { createReadFile } from "./read-file";
import { createSearchFiles } from "./search-files";
import { createSessionSearch, type SessionSearchPort } from "./session-search";
import { createSkills, type SkillsPort } from "./skills";
import { createTerminal } from "./terminal";
import { createTodo } from "./todo";
import type { Tool } from "./tool-port";
import { createWebFetch } from "./web-fetch";
import { createWriteFile } from "./write-file";

export interface ToolPorts {
  /** The owner's environment; a child of `terminal` sees a few harmless variables of it. */
  readonly ambient: Readonly<Record<string, string | undefined>>;
  readonly processes: BackgroundProcesses;
  readonly memory: MemoryPort;
  readonly session_search: SessionSearchPort;
  readonly skills: SkillsPort;
  readonly delegate: DelegatePort;
  /** Which private addresses `web_fetch` may open; default none. */
  readonly allow_inside?: AllowInside;
}

export const TOOLSETS = {
  web: ["web_fetch"],
  terminal: ["terminal", "process"],
  file: ["read_file", "write_file", "patch", "search_files"],
  todo: ["todo"],
  memory: ["memory"],
  session_search: ["session_search"],
  clarify: ["clarify"],
  delegation: ["delegate_task"],
  skills: ["skills"],
  // The tools of the profile's MCP servers, whatever they are.
  mcp: [],
} as const;

export function createTools(ports: ToolPorts): readonly Tool[] {
  return [
    createTerminal({ ambient: ports.ambient, processes: ports.processes, table: createProcessTable(process.platform) }),
    createProcess(ports.processes),
    createReadFile(),
    createWriteFile(),
    createPatch(),
    createSearchFiles(),
    createTodo(),
    createClarify(),
    createWebFetch(ports.allow_inside === undefined ? {} : { allow_inside: ports.allow_inside }),
    createMemory(ports.memory),
    createSessionSearch(ports.session_search),
    createSkills(ports.skills),
    createDelegateTask(ports.delegate),
  ];
}

/** The tools of the named sets, in their own order; a name that is no set of ours (of an imported run) chooses nothing. */
export function toolsIn(tools: readonly Tool[], toolsets: readonly string[]): readonly Tool[] {
  const names = new Set(Object.entries(TOOLSETS).flatMap(([toolset, members]) => (toolsets.includes(toolset) ? members : [])));
  return tools.filter((tool) => [...names].some((name) => name === tool.name));
}

/** `null` is taken where something may be left out, but strict providers are not told of it. */
function withoutNull({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const others = jsonSchema.anyOf?.filter((option) => typeof option === "boolean" || option.type !== "null");
  const [only] = others ?? [];
  if (jsonSchema.anyOf === undefined || others?.length !== 1 || typeof only !== "object") return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { ...only, ...jsonSchema });
}

/** Tools as a model request names them. */
export function toolSchemas(tools: readonly Tool[]): readonly ModelTool[] {
  return tools.map(({ name, description, input, parameters: given }) => {
    if (given !== undefined) return { name, description, parameters: given };
    const { $schema: _dialect, ...parameters } = z.toJSONSchema(input, { io: "input", override: withoutNull });
    return { name, description, parameters };
  });
}
